import type { Caller } from './caller.ts';

const PLAY = {
  ko: '샌드박스: 연습용 모의 데이터이며 기관에 접속하지 않았습니다.',
  en: 'Sandbox: this is mock data, no institution was contacted.',
};

/** Marks the answers of the environment in which no institution is contacted. */
export function playNote({ envScope, language }: Pick<Caller, 'envScope' | 'language'>) {
  return envScope === 'sandbox' ? { note: PLAY[language] } : {};
}
