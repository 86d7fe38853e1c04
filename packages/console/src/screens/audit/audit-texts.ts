import type { AuditEntry } from '@changgu/contract';
import type { Language } from '../../app/preferences.ts';
import { texts } from '../../app/texts.ts';

type ActorKind = AuditEntry['actor_kind'];

const ACTORS: Readonly<Record<Language, Readonly<Record<ActorKind, string>>>> = {
  ko: {
    client: '키',
    console_user: '구성원',
    admin_user: '운영자',
    legacy_api_key: 'API 키',
    system: '시스템',
  },
  en: {
    client: 'Key',
    console_user: 'Member',
    admin_user: 'Operator',
    legacy_api_key: 'API key',
    system: 'System',
  },
};

export const auditTexts = texts({
  ko: {
    organization: '조직',
    organizationNumber: '조직 번호',
    audit: '감사 기록',
    act: '행위',
    at: '시각',
    actor: '행위자',
    target: '대상',
    details: '내용',
    trace: '추적 ID',
    address: 'IP 주소',
    agent: '프로그램',
    link: '해시 체인',
    show: '보기',
    actors: ACTORS.ko,
    noAudit: '조건에 맞는 기록이 없습니다.',
    exportAudit: '기록 저장 (JSON Lines)',
    checkAudit: '해시 체인 검증',
    chooseToCheck:
      '조직 번호를 입력하면 해시 체인을 검증할 수 있습니다. 번호는 조직 화면에 있습니다.',
    whole: (sealed: string, unsealed: string) =>
      `봉인된 기록 ${sealed}건이 모두 그대로입니다. 아직 봉인하지 않은 기록은 ${unsealed}건입니다.`,
    head: '체인의 마지막 해시입니다. 따로 보관하면 이후에 그 이전 기록이 바뀌지 않았는지 확인할 수 있습니다.',
    broken: (n: number) => `체인의 ${n}번째 기록이 일치하지 않습니다.`,
    removed: '기록이 없어졌습니다.',
    changed: (id: number) => `기록 ${id}의 내용이 바뀌었습니다.`,
  },
  en: {
    organization: 'Organization',
    organizationNumber: 'Number of the organization',
    audit: 'Audit',
    act: 'Act',
    at: 'Time',
    actor: 'Actor',
    target: 'Target',
    details: 'Details',
    trace: 'Trace ID',
    address: 'IP address',
    agent: 'Program',
    link: 'Hash chain',
    show: 'Show',
    actors: ACTORS.en,
    noAudit: 'No record matches.',
    exportAudit: 'Save records (JSON Lines)',
    checkAudit: 'Verify the hash chain',
    chooseToCheck:
      'Enter the number of an organization to verify its hash chain. Numbers are under Organizations.',
    whole: (sealed: string, unsealed: string) =>
      `All ${sealed} sealed records are as they were written; ${unsealed} are not sealed yet.`,
    head: 'End of the chain. Kept elsewhere, it shows later that nothing before it was changed:',
    broken: (n: number) => `The chain breaks at record ${n}.`,
    removed: 'The record was removed.',
    changed: (id: number) => `Record ${id} was changed.`,
  },
});
