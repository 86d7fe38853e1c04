import type { Language } from '@changgu/contract/language';

const WORDS = {
  ko: {
    created: '커넥터 프로젝트를 만들었습니다',
    files: {
      'connectors.ts': '커넥터. 연결할 기관에 맞게 바꾸십시오.',
      'portal.ts': '커넥터를 시험할 작은 웹 사이트',
      'connectors.check.ts': '커넥터가 규약을 지키는지 확인하는 시험',
    },
    run: '다음 명령을 실행해 보십시오.',
    after: '그다음에는 커넥터를 한 단계씩 바꾸면서 npm test가 계속 통과하는지 확인하십시오.',
  },
  en: {
    created: 'Created a connector project',
    files: {
      'connectors.ts': 'the connectors; change them to fit your institution',
      'portal.ts': 'a small web site to try them on',
      'connectors.check.ts': 'the test that holds them to the contract',
    },
    run: 'Run these commands:',
    after: 'Then change the connectors step by step, and keep npm test green.',
  },
} as const;

/** What a person reads after `connector create`; the commands can be pasted into a POSIX shell. */
export function createdProject(folder: string, language: Language): string {
  const { created, files, run, after } = WORDS[language];
  const lines = Object.entries(files).map(([name, what]) => `  ${name.padEnd(22)}${what}`);
  return `${created}: ${folder}

${lines.join('\n')}

${run}

  cd ${quoted(folder)}
  npm install
  npm test

${after}
`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
