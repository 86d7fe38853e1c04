import type { ReceiptStatement as WireStatement } from '@changgu/contract';
import { fromBase64Url } from '../encryption/base64.ts';
import type { ReceiptKeys, ReceiptStatement } from '../resources/receipts.ts';
import { camelize } from '../wire-case.ts';

/**
 * Why a receipt proves nothing: it is not a receipt, its key is not among those given, its signature is invalid, it
 * does not follow the previous receipt, or another receipt has its number.
 */
export type ReceiptFault =
  | 'malformed'
  | 'unknown_key'
  | 'wrong_signature'
  | 'broken_chain'
  | 'conflict';

export interface CheckedReceipt {
  /** Null when it cannot be read. Trust it only if there is no fault. */
  readonly statement: ReceiptStatement | null;
  readonly fault: ReceiptFault | null;
}

/** Numbers missing among the given receipts, although earlier and later ones exist. */
export interface MissingReceipts {
  readonly organizationId: number;
  readonly envScope: string;
  readonly from: number;
  readonly to: number;
}

export interface ReceiptReport {
  /** Every receipt is valid, and none is missing between the first and the last of its chain. */
  readonly valid: boolean;
  /** In the order given. */
  readonly receipts: readonly CheckedReceipt[];
  readonly missing: readonly MissingReceipts[];
}

interface Checked {
  readonly jws: string;
  readonly statement: WireStatement | null;
  fault: ReceiptFault | null;
}

/**
 * Verifies receipts and their chains offline: signatures with the published keys, then that each receipt
 * names the previous one. In any order; several organizations and environments may be mixed.
 */
export async function verifyReceipts(
  receipts: readonly string[],
  keys: ReceiptKeys,
): Promise<ReceiptReport> {
  const publicKeys = await importKeys(keys);
  const checked = await Promise.all(receipts.map((text) => checkOne(text.trim(), publicKeys)));
  const missing: MissingReceipts[] = [];
  for (const chain of chainsOf(checked)) missing.push(...(await checkChain(chain)));
  return {
    valid: missing.length === 0 && checked.every(({ fault }) => fault === null),
    receipts: checked.map(({ statement, fault }) => ({
      statement: statement === null ? null : camelize(statement),
      fault,
    })),
    missing,
  };
}

type PublicKeys = ReadonlyMap<string, CryptoKey>;

/** A key of another kind, which a newer service may list, verifies nothing here. */
async function importKeys({ keys }: ReceiptKeys): Promise<PublicKeys> {
  const imported = new Map<string, CryptoKey>();
  for (const one of keys) {
    const { kid, kty, crv, x }: Partial<typeof one> = one ?? {};
    const jwk = { kty: String(kty), crv: String(crv), x: String(x) };
    const key = crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
    const usable = await key.catch(() => null);
    if (kid !== undefined && usable !== null) imported.set(kid, usable);
  }
  return imported;
}

async function checkOne(jws: string, keys: PublicKeys): Promise<Checked> {
  const parts = jws.split('.');
  const [header, payload, signature] = parts;
  const head = parts.length === 3 ? objectIn(header) : null;
  const statement = objectIn(payload);
  const signed = bytesIn(signature);
  if (head?.alg !== 'EdDSA' || signed === null || !isStatement(statement)) {
    return { jws, statement: null, fault: 'malformed' };
  }
  const key = typeof head.kid === 'string' ? keys.get(head.kid) : undefined;
  if (key === undefined) return { jws, statement, fault: 'unknown_key' };
  const holds = await crypto.subtle.verify(
    'Ed25519',
    key,
    signed,
    new TextEncoder().encode(`${header}.${payload}`),
  );
  return { jws, statement, fault: holds ? null : 'wrong_signature' };
}

type Chain = readonly (Checked & { readonly statement: WireStatement })[];

/** Those with a valid signature, by chain and in the order of their numbers. */
function chainsOf(checked: readonly Checked[]): Chain[] {
  const signed = checked.filter(
    (one): one is Chain[number] => one.statement !== null && one.fault === null,
  );
  const chains = Map.groupBy(
    signed,
    ({ statement }) => `${statement.organization_id} ${statement.env_scope}`,
  );
  return [...chains.values()].map((chain) =>
    chain.toSorted((a, b) => a.statement.number - b.statement.number),
  );
}

async function checkChain(chain: Chain): Promise<MissingReceipts[]> {
  const missing: MissingReceipts[] = [];
  for (const [index, one] of chain.entries()) {
    const before = chain[index - 1];
    if (before === undefined || before.jws === one.jws) continue;
    const from = before.statement.number + 1;
    const {
      number,
      previous,
      organization_id: organizationId,
      env_scope: envScope,
    } = one.statement;
    if (number < from) one.fault = 'conflict';
    else if (number > from) missing.push({ organizationId, envScope, from, to: number - 1 });
    else if (previous !== (await sha256(before.jws))) one.fault = 'broken_chain';
  }
  return missing;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isStatement(value: object | null): value is WireStatement {
  const {
    iss,
    number,
    organization_id: organizationId,
    env_scope: envScope,
  }: Partial<WireStatement> = value ?? {};
  return (
    iss === 'changgu' &&
    typeof number === 'number' &&
    typeof organizationId === 'number' &&
    typeof envScope === 'string'
  );
}

function objectIn(part: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(part ?? '')));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function bytesIn(text = ''): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64Url(text);
  } catch {
    return null;
  }
}
