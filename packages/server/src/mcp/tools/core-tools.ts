import type { JsonObjectSchema } from '@changgu/contract/catalogue';
import type { Tool } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import { CORE_TOOLS } from './tool-names.ts';
import { coreInput, JOB_RESULT_INPUT, RUN_INPUT } from './tool-schemas.ts';

type Words = Readonly<Record<Language, string>>;

interface CoreTool {
  readonly name: string;
  readonly title: Words;
  readonly description: Words;
  readonly inputSchema: JsonObjectSchema;
  /** Reads what the service itself knows. */
  readonly isReading: boolean;
}

const TOOLS: readonly CoreTool[] = [
  {
    name: CORE_TOOLS.accounts,
    title: { ko: '연결과 계좌', en: 'Links and accounts' },
    description: {
      ko: '먼저 호출하십시오. 오늘 날짜, 환경, 키의 권한, 등록된 연결과 계좌를 알려 줍니다. 토큰을 쓰지 않습니다.',
      en: 'Call this first: today, the environment, what this key may do, and the registered links and bank accounts. Uses no token.',
    },
    inputSchema: coreInput({ provider: { type: 'string' } }),
    isReading: true,
  },
  {
    name: CORE_TOOLS.search,
    title: { ko: '업무 찾기', en: 'Find actions' },
    description: {
      ko: '업무를 부르는 말("통장", "4대보험")로 찾습니다. query가 비면 전체를 보여 줍니다.',
      en: 'Finds actions by what people call them, in Korean or English. An empty query lists all.',
    },
    inputSchema: coreInput(
      { query: { type: 'string', maxLength: 200 }, cursor: { type: 'integer', minimum: 0 } },
      ['query'],
    ),
    isReading: true,
  },
  {
    name: CORE_TOOLS.describe,
    title: { ko: '업무 설명', en: 'Describe an action' },
    description: {
      ko: '업무 하나의 인수와 코드, 결과, 비용, 로그인을 보여 줍니다.',
      en: 'Shows params and their codes, result, cost and login of one action.',
    },
    inputSchema: coreInput({ action: { type: 'string' } }, ['action']),
    isReading: true,
  },
  {
    name: CORE_TOOLS.run,
    title: { ko: '업무 실행', en: 'Run an action' },
    description: {
      ko: '목록에 도구가 없는 업무도 id로 실행합니다. params는 업무 설명대로 보냅니다.',
      en: 'Runs any action by its id; params as its description says.',
    },
    inputSchema: RUN_INPUT,
    isReading: false,
  },
  {
    name: CORE_TOOLS.jobResult,
    title: { ko: '작업 결과 읽기', en: 'Read the result of a job' },
    description: {
      ko: 'QUEUED나 RUNNING인 작업을 잠시 기다려 결과를 읽습니다. cursor, limit, fields, form으로 볼 부분을 고릅니다. 토큰을 쓰지 않습니다.',
      en: 'Waits a while for a job and reads its result; cursor, limit, fields and form choose what is shown. Uses no token.',
    },
    inputSchema: JOB_RESULT_INPUT,
    isReading: true,
  },
];

/** @param mayIssue whether the key may run irreversible actions */
export function coreTools(language: Language, mayIssue: boolean): Tool[] {
  return TOOLS.map(({ name, title, description, inputSchema, isReading }) => ({
    name,
    title: title[language],
    description: description[language],
    // A schema is JSON; the library requires its own type.
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: isReading
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: mayIssue },
  }));
}
