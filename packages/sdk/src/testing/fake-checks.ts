import { isSensitiveName, LIMITS } from '@changgu/contract';
import { FakeRefusal, type FakeRequest, invalidField } from './fake-answer.ts';

type Body = Record<string, unknown>;

/** Parses a JSON object and refuses what the service refuses. */
export function readBody(request: FakeRequest, known: readonly string[]): Body {
  const body = parse(request.text);
  const extra = Object.keys(body).find((name) => !known.includes(name));
  if (extra) {
    throw invalidField(422, ['body', extra], 'extra_forbidden', 'Extra inputs are not permitted');
  }
  return body;
}

function parse(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidField(400, ['body'], 'json_invalid', 'JSON decode error');
  }
  if (!isRecord(body)) throw invalidField(422, ['body'], 'dict_type');
  return body;
}

export function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A required string. */
export function requireText(body: Body, name: string): string {
  const value = body[name];
  if (value === undefined) throw invalidField(422, ['body', name], 'missing', 'Field required');
  if (typeof value !== 'string') throw invalidField(422, ['body', name], 'string_type');
  if (value === '') throw invalidField(422, ['body', name], 'string_too_short');
  return value;
}

/** The Idempotency-Key. */
export function requireKey({ headers }: FakeRequest): string {
  const key = headers.get('idempotency-key')?.trim();
  if (!key) throw new FakeRefusal('IDEMPOTENCY_KEY_REQUIRED');
  if (key.length > LIMITS.idempotencyKey.max || /[^\x20-\x7e]/.test(key)) {
    throw invalidField(400, ['header', 'Idempotency-Key']);
  }
  return key;
}

/** Refuses sensitive names at any depth of params. */
export function checkParamNames(value: unknown, loc: readonly (string | number)[]): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      checkParamNames(item, [...loc, index]);
    });
  }
  if (!isRecord(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (isSensitiveName(name)) throw invalidField(400, [...loc, name]);
    checkParamNames(inner, [...loc, name]);
  }
}

/** Encrypted values: strings of standard base64, at least 16 characters. */
export function checkEncryptedFields(fields: unknown): void {
  if (fields === undefined) return;
  if (!isRecord(fields)) throw invalidField(422, ['body', 'encrypted_fields'], 'dict_type');
  for (const [name, value] of Object.entries(fields)) {
    const loc = ['body', 'encrypted_fields', name];
    if (typeof value !== 'string') throw invalidField(422, loc, 'string_type');
    if (value.length < LIMITS.encryptedValueMinLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) {
      throw invalidField(400, loc);
    }
  }
}

/** JSON with sorted keys: the identity of a request does not depend on their order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
}
