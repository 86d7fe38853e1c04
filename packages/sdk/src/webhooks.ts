/** Checks what arrives at a webhook endpoint. WebCrypto alone: for Node, workers and browsers. */
import type { Camel, EventRecord } from '@changgu/contract';
import { fromBase64Url as fromBase64 } from './encryption/base64.ts';
import { camelize } from './wire-case.ts';

/** An event as an endpoint is sent it. Its `type` decides what `data` holds. */
export type WebhookEvent = Camel.EventRecord;

/** Headers of any framework: an object with lower-case names, or what `fetch` calls Headers. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far its clock and ours may be apart, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

export type WebhookFlaw = 'headers' | 'timestamp' | 'signature' | 'body';

/** It is not a message for this endpoint, or not a fresh one. Answer it with 401 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code = 'WEBHOOK_NOT_VERIFIED';
  readonly flaw: WebhookFlaw;

  constructor(flaw: WebhookFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const PUBLIC_KEY_BYTES = 32;

/**
 * The event, if the message was signed with one of the secrets (`whsec_…`) or key pairs (`whpk_…`) and is fresh.
 * `body` is the text or the bytes as they arrived: JSON that was parsed and written again has another signature. An
 * event may come more than once: `eventId` stays the same.
 * @throws WebhookVerificationError
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * @see https://www.standardwebhooks.com
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secrets === 'string' ? [secrets] : (secrets ?? [])).map(keyOf);
  if (keys.length === 0) throw new TypeError('a secret of the webhook is needed');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!(Math.abs(now() / 1_000 - secondsOf(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp',
      'The message is too old, or one clock is wrong.',
    );
  }
  if (!isRaw(body)) {
    throw new TypeError('the body must be the text or the bytes as they arrived, not yet parsed');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(' ')) {
    for (const key of keys) if (await fits(key, signature, signed)) return eventOf(text);
  }
  throw new WebhookVerificationError('signature', 'No signature of the message fits the secret.');
}

/** A framework's parser may have been here first; of an empty request it makes undefined. */
function isRaw(body: unknown): boolean {
  return (
    body === undefined ||
    typeof body === 'string' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  );
}

interface Key {
  readonly version: 'v1' | 'v1a';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function keyOf(text: string): Key {
  const isPublic = text.startsWith(PUBLIC_KEY_PREFIX);
  if (!isPublic && !text.startsWith(SECRET_PREFIX)) {
    throw new TypeError('a secret of a webhook begins with whsec_ or whpk_');
  }
  const bytes = bytesOf(text.slice((isPublic ? PUBLIC_KEY_PREFIX : SECRET_PREFIX).length));
  // WebCrypto would refuse it too, in words that name no webhook.
  if (isPublic ? bytes.length !== PUBLIC_KEY_BYTES : bytes.length === 0) {
    throw new TypeError('the secret of the webhook is incomplete');
  }
  return { version: isPublic ? 'v1a' : 'v1', bytes };
}

async function fits(
  { version, bytes }: Key,
  signature: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const prefix = `${version},`;
  if (!signature.startsWith(prefix)) return false;
  const { subtle } = crypto;
  const algorithm = version === 'v1' ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' };
  const key = await subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  // Compares in constant time.
  return subtle.verify(algorithm, key, bytesOf(signature.slice(prefix.length)), signed);
}

/** What is not base64 fits nothing. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(base64);
  } catch {
    return new Uint8Array();
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers', `The message has no header ${name}.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function secondsOf(timestamp: string): number {
  return /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
}

function eventOf(text: string): WebhookEvent {
  try {
    // Signed by the service, which sends nothing else.
    return camelize(JSON.parse(text) as EventRecord);
  } catch {
    throw new WebhookVerificationError('body', 'The message is not JSON.');
  }
}
