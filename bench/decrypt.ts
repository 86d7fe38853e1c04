/**
 * Claim: decrypting a field costs what node:crypto costs with a cached key, and leaves the event
 * loop free. Run: node --conditions=@changgu/source bench/decrypt.ts
 */
import { constants, createPublicKey, privateDecrypt, publicEncrypt } from 'node:crypto';
import { createHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import {
  decryptFieldBytes,
  fieldText,
  RSA_BLOCK_BYTES,
  RSA_OAEP,
  RSA_PIECE_BYTES,
} from '../packages/server/src/crypto/rsa-oaep.ts';
import { currentRsaKey } from '../packages/server/test/fixtures/rsa-oaep/rsa-keys.ts';

const ROUNDS = 200;
const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
const publicKey = createPublicKey(currentRsaKey);
const fieldKey = currentRsaKey.toCryptoKey(RSA_OAEP, false, ['decrypt']);

function encrypt(text: string): string {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / RSA_PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * RSA_PIECE_BYTES, (index + 1) * RSA_PIECE_BYTES),
  );
  const blocks = pieces.map((piece) => publicEncrypt({ key: publicKey, ...oaep }, piece));
  return Buffer.concat(blocks).toString('base64');
}

function bareDecrypt(value: string): string {
  const bytes = Buffer.from(value, 'base64');
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += RSA_BLOCK_BYTES) {
    const block = bytes.subarray(start, start + RSA_BLOCK_BYTES);
    pieces.push(privateDecrypt({ key: currentRsaKey, ...oaep }, block));
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Medians in milliseconds of both, interleaved, so that other load on the machine affects both. */
async function compare(value: string, text: string) {
  const [bare, field] = [createHistogram(), createHistogram()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const one = bareDecrypt(value);
    const between = performance.now();
    const other = fieldText(await decryptFieldBytes(value, [fieldKey]));
    bare.record(Math.round((between - started) * 1_000));
    field.record(Math.round((performance.now() - between) * 1_000));
    if (one !== text || other !== text) throw new Error('decrypted to something else');
  }
  return { bare: bare.percentile(50) / 1_000, field: field.percentile(50) / 1_000 };
}

/** Event-loop delay, 99th percentile in milliseconds, while four fields at a time are decrypted. */
async function loopDelay(value: string): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const worker = async () => {
    for (let round = 0; round < ROUNDS / 4; round += 1) await decryptFieldBytes(value, [fieldKey]);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  delay.disable();
  return delay.percentile(99) / 1_000_000;
}

const rows = [];
for (const [name, text] of [
  ['4-digit password', '1234'],
  ['certificate, 1,300 bytes', 'c'.repeat(1_300)],
] as const) {
  const value = encrypt(text);
  const { bare, field } = await compare(value, text);
  rows.push({
    field: name,
    'node:crypto ms': bare.toFixed(2),
    'ours ms': field.toFixed(2),
    'speed ratio': (bare / field).toFixed(2),
    'loop p99 ms': (await loopDelay(value)).toFixed(1),
  });
}
console.table(rows);
