import { type AccountLink, isChangguError, type JobValidation } from '@changgu/sdk';
import type { CatalogueAction, JsonSchema } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { isJsonObject } from '../json-object.ts';
import type { ServiceCall } from './service-call.ts';

/** What a submission would cost and use, as the service said. */
export type Quote = Pick<JobValidation, 'accountLinkId' | 'usageTokens' | 'remainingTokens'>;

const ENVIRONMENTS: Readonly<Record<string, string>> = {
  sandbox: '샌드박스(연습: 기관에 접속하지 않습니다)',
  real_test: '실연동 시험(real_test)',
  production: '운영(production)',
};

/**
 * What a person is asked to agree to, written here alone: every value that will be sent, defaults included, in words
 * instead of codes; for which business, and at what price.
 */
export async function summaryOf(
  bridge: Bridge,
  call: ServiceCall,
  quote: Quote | null,
): Promise<string> {
  const { action } = call;
  const { envScope } = bridge.settings;
  return [
    `${institutionName(bridge, action)}에 '${withObjectParticle(action.title.ko)} 신청합니다. 되돌릴 수 없습니다.`,
    ...(await ownerLines(bridge, call, quote)),
    `- 환경: ${ENVIRONMENTS[envScope] ?? envScope}`,
    ...accountLines(call),
    ...paramLines(call),
    `- 사용 토큰: ${priceOf(call, quote)}`,
  ].join('\n');
}

async function ownerLines(
  { client }: Bridge,
  { action, accountLinkId }: ServiceCall,
  quote: Quote | null,
): Promise<readonly string[]> {
  const id = quote?.accountLinkId ?? accountLinkId;
  const link = await findLink(client, action.provider, id);
  if (link) return [`- 명의: ${ownerOf(link)}`];
  return [`- 기관 연결: ${id ?? '대표 연결'}`];
}

/** Not every key may list links. */
async function findLink(
  client: Bridge['client'],
  provider: string,
  id: string | null | undefined,
): Promise<AccountLink | undefined> {
  try {
    const { items } = await client.credentials.list({}, { totalTimeoutMs: 8_000 });
    return items.find((link) =>
      id ? link.accountLinkId === id : link.provider === provider && link.isPrimary,
    );
  } catch (error) {
    if (isChangguError(error)) return undefined;
    throw error;
  }
}

function ownerOf({ businessName, bizNumber, accountLinkId }: AccountLink): string {
  const named = [businessName, bizNumber && `사업자등록번호 ${bizNumber}`].filter(Boolean);
  return plain(named.join(', ') || `연결 ${accountLinkId}`);
}

function accountLines({ allAccounts, bankAccountIds }: ServiceCall): readonly string[] {
  if (!allAccounts) return [];
  return [`- 계좌: ${bankAccountIds ? `${bankAccountIds.length}개` : '등록된 계좌 전부'}`];
}

/** Every param: what was given, else its default. */
function paramLines({ action, params }: ServiceCall): readonly string[] {
  return Object.entries(action.params.properties).flatMap(([name, schema]) => {
    const label = typeof schema['x-label'] === 'string' ? schema['x-label'] : name;
    if (params[name] !== undefined) return [`- ${label}: ${wordOf(schema, params[name])}`];
    if (schema.default === undefined) return [];
    return [`- ${label}: ${wordOf(schema, schema.default)} (기본값)`];
  });
}

function wordOf(schema: JsonSchema, value: unknown): string {
  const texts = schema['x-texts'];
  const word = isJsonObject(texts) ? texts[String(value)] : undefined;
  return plain(typeof word === 'string' ? word : value);
}

function priceOf({ action, allAccounts }: ServiceCall, quote: Quote | null): string {
  if (allAccounts) return `계좌마다 ${action.usageTokens}`;
  if (quote === null || quote.remainingTokens === null) return String(action.usageTokens);
  return `${quote.usageTokens} (현재 남은 토큰 ${quote.remainingTokens})`;
}

function institutionName({ institutions }: Bridge, { provider }: CatalogueAction): string {
  return institutions.find((one) => one.provider === provider)?.title.ko ?? provider;
}

/** One line, short: a value must not look like a part of the summary. */
function plain(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;

/** `…발급'을`, `…조회'를`: by whether the last syllable ends in a consonant. */
function withObjectParticle(word: string): string {
  const last = word.charCodeAt(word.length - 1) - FIRST_SYLLABLE;
  const isSyllable = last >= 0 && last < 11_172;
  return `${word}'${isSyllable && last % FINALS === 0 ? '를' : '을'}`;
}
