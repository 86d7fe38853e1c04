import type { Language } from '@changgu/contract/language';

/** What `install` says to the person at the terminal. */
export interface InstallTexts {
  readonly ask: string;
  readonly already: string;
  readonly notWritten: string;
  readonly notJson: string;
  written(host: string): string;
  noPlace(host: string): string;
  hosts(known: string): string;
  notObject(key: string): string;
  tableThere(header: string): string;
}

export const INSTALL_TEXTS: Readonly<Record<Language, InstallTexts>> = {
  ko: {
    ask: '이대로 쓸까요?',
    already: '이미 이렇게 설정되어 있습니다.',
    notWritten: '쓰지 않았습니다. 확인 없이 쓰려면 --yes를 붙여 주십시오.',
    notJson: '설정 파일이 순수한 JSON이 아닙니다. 위 내용을 직접 넣어 주십시오.',
    written: (host) => `썼습니다. ${host}을(를) 다시 시작해 주십시오.`,
    noPlace: (host) => `${host}의 설정 위치를 알 수 없습니다.`,
    hosts: (known) => `install <host>: ${known} 가운데 하나를 지정해 주십시오.`,
    notObject: (key) => `${key}이(가) 객체가 아닙니다.`,
    tableThere: (header) => `${header}가 이미 있습니다. 위 내용으로 직접 바꾸어 주십시오.`,
  },
  en: {
    ask: 'Write it like this?',
    already: 'It is already configured like this.',
    notWritten: 'Nothing was written. To write without being asked, add --yes.',
    notJson: 'The configuration is not plain JSON. Please add the text above yourself.',
    written: (host) => `Written. Please restart ${host}.`,
    noPlace: (host) => `Where ${host} keeps its configuration is not known on this system.`,
    hosts: (known) => `install <host>: choose one of ${known}.`,
    notObject: (key) => `${key} is not an object.`,
    tableThere: (header) => `${header} is there already. Please replace it with the text above.`,
  },
};
