import type { Language } from '@changgu/contract/language';

/** What `install` says to the person at the terminal. */
export interface InstallTexts {
  readonly ask: string;
  readonly already: string;
  readonly notWritten: string;
  readonly noTerminal: string;
  readonly notJson: string;
  readonly notUtf8: string;
  written(host: string): string;
  noPlace(host: string): string;
  hosts(known: string): string;
  notObject(key: string): string;
  tableThere(header: string): string;
}

export const INSTALL_TEXTS: Readonly<Record<Language, InstallTexts>> = {
  ko: {
    ask: '이대로 저장하시겠습니까?',
    already: '이미 이렇게 설정되어 있습니다.',
    notWritten: '저장하지 않았습니다.',
    noTerminal: '저장하지 않았습니다. 확인 없이 저장하려면 --yes를 지정하십시오.',
    notJson: '설정 파일이 순수한 JSON이 아닙니다. 위 내용을 직접 추가하십시오.',
    notUtf8: '설정 파일이 UTF-8이 아닙니다. 위 내용을 직접 추가하십시오.',
    written: (host) => `저장했습니다. ${host}을(를) 다시 시작하십시오.`,
    noPlace: (host) => `${host}의 설정 위치를 알 수 없습니다.`,
    hosts: (known) => `install <host>: ${known} 중 하나를 지정하십시오.`,
    notObject: (key) => `${key}이(가) 객체가 아닙니다.`,
    tableThere: (header) => `${header} 항목이 이미 있습니다. 위 내용으로 직접 바꾸십시오.`,
  },
  en: {
    ask: 'Write it like this?',
    already: 'It is already configured this way.',
    notWritten: 'Nothing was written.',
    noTerminal: 'Nothing was written. To write without being asked, add --yes.',
    notJson: 'The configuration is not plain JSON. Add the text above yourself.',
    notUtf8: 'The configuration is not UTF-8. Add the text above yourself.',
    written: (host) => `Written. Restart ${host}.`,
    noPlace: (host) => `The location of the configuration of ${host} is unknown on this system.`,
    hosts: (known) => `install <host>: choose one of ${known}.`,
    notObject: (key) => `${key} is not an object.`,
    tableThere: (header) => `${header} already exists. Replace it with the text above.`,
  },
};
