import type { CatalogueAction } from '../action.ts';
import { isSchema, type JsonSchema } from '../json-schema.ts';
import { valueText } from './param-texts.ts';

/** An act that a person is asked to agree to. */
export interface ProposedAct {
  readonly action: CatalogueAction;
  /** Korean. */
  readonly institution: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly envScope: string;
  /** On whose behalf: business, registration number, or the link. */
  readonly owner: string;
  /** Absent for a single account or none. */
  readonly accounts?: 'all' | readonly string[] | undefined;
  /** Remaining usage tokens; null for no limit, absent when unknown. */
  readonly remainingTokens?: number | null | undefined;
}

const ENVIRONMENTS: Readonly<Record<string, string>> = {
  sandbox: '샌드박스(연습: 기관에 접속하지 않습니다)',
  real_test: '테스트 환경(real_test)',
  production: '운영 환경(production)',
};

/**
 * What a person is asked to agree to, in Korean: every value that will be sent, including defaults, in words instead of
 * codes; on whose behalf, and at what price.
 */
export function actSummary(act: ProposedAct): string {
  const { action, institution, envScope, accounts } = act;
  return [
    `${institution}에 '${withObjectParticle(action.title.ko)} 신청합니다. 되돌릴 수 없습니다.`,
    `- 명의: ${plain(act.owner)}`,
    `- 환경: ${ENVIRONMENTS[envScope] ?? envScope}`,
    ...(accounts
      ? [`- 계좌: ${accounts === 'all' ? '등록된 계좌 전부' : `${accounts.length}개`}`]
      : []),
    ...paramLines(act),
    `- 사용 토큰: ${priceOf(act)}`,
  ].join('\n');
}

/** Every param: the given value or its default. */
function paramLines({ action, params }: ProposedAct): readonly string[] {
  return Object.entries(action.params.properties).flatMap(([name, schema]) => {
    const label = typeof schema['x-label'] === 'string' ? schema['x-label'] : name;
    if (params[name] !== undefined) return [`- ${label}: ${wordOf(schema, params[name])}`];
    if (schema.default === undefined) return [];
    return [`- ${label}: ${wordOf(schema, schema.default)} (기본값)`];
  });
}

function wordOf(schema: JsonSchema, value: unknown): string {
  const { items } = schema;
  if (Array.isArray(value) && isSchema(items)) {
    return plain(value.map((item) => wordOf(items, item)).join(', '));
  }
  return plain(valueText(schema, value, 'ko') ?? value);
}

function priceOf({ action: { usageTokens }, accounts, remainingTokens }: ProposedAct): string {
  if (accounts) return `계좌마다 ${usageTokens}`;
  if (remainingTokens === null || remainingTokens === undefined) return String(usageTokens);
  return `${usageTokens} (현재 남은 토큰 ${remainingTokens})`;
}

const MAX_VALUE_CHARACTERS = 100;

/** One short line: a value must not look like part of the summary. */
function plain(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

const FIRST_SYLLABLE = 0xac00;
const SYLLABLES = 11_172;
const FINALS = 28;

/** `…발급'을`, `…조회'를`: depends on whether the last syllable ends in a consonant. */
function withObjectParticle(word: string): string {
  const last = word.charCodeAt(word.length - 1) - FIRST_SYLLABLE;
  const endsInVowel = last >= 0 && last < SYLLABLES && last % FINALS === 0;
  return `${word}'${endsInVowel ? '를' : '을'}`;
}
