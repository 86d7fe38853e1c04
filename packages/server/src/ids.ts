import { randomBytes } from 'node:crypto';
import { monotonicFactory, ulid } from 'ulid';

const POOL_BYTES = 4_096;
const TRACE_BYTES = 16;
let pool = randomBytes(POOL_BYTES);
let used = 0;

/** Random fraction from a pool: ulid asks once per character, and one system call each would cost more than the rest. */
function random(): number {
  return pool.readUInt8(take(1)) / 256;
}

/** Where the next unused bytes of the pool begin. */
function take(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  const start = used;
  used += bytes;
  return start;
}

/** `job_` and a ULID. */
export function newJobId(): string {
  return `job_${ulid(undefined, random)}`;
}

const monotonicUlid = monotonicFactory(random);

/** `art_` and a ULID. The files of a job are in the order of their ids, those of one millisecond, too. */
export function newArtifactId(): string {
  return `art_${monotonicUlid()}`;
}

/** `trc_` and 32 hex digits. */
export function newTraceId(): string {
  const start = take(TRACE_BYTES);
  return `trc_${pool.toString('hex', start, start + TRACE_BYTES)}`;
}

/** `cli_` and a ULID. */
export function newClientId(): string {
  return `cli_${ulid(undefined, random)}`;
}

/** `lak_` and a ULID: names a legacy key, and is not the key. */
export function newLegacyKeyId(): string {
  return `lak_${ulid(undefined, random)}`;
}

/** `pd_` and a ULID. */
export function newPolicyDecisionId(): string {
  return `pd_${ulid(undefined, random)}`;
}

/** `whk_` and a ULID: an endpoint that events are sent to. */
export function newWebhookId(): string {
  return `whk_${ulid(undefined, random)}`;
}

/** `oag_` and a ULID: names what a person approved for an OAuth client. */
export function newOAuthGrantId(): string {
  return `oag_${ulid(undefined, random)}`;
}

/** `oac_` and a ULID: an OAuth client that an operator or the client itself registered. */
export function newOAuthClientId(): string {
  return `oac_${ulid(undefined, random)}`;
}
