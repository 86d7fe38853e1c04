import { constants, generateKeyPairSync, publicEncrypt } from 'node:crypto';
import { encryptFields } from '../../packages/sdk/src/encryption/encrypt-fields.ts';
import { nodeCrypto, nodeEncryptor } from '../../packages/sdk/src/encryption/node-encryptor.ts';

const VALUES = 40;
const ROUNDS = 201;

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
const key = { kid: 'k', kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', n, e };
const text = 'a password of usual length';

function bare(): string {
  const options = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  return publicEncrypt(options, Buffer.from(text)).toString('base64');
}

/** Values per second of CPU time, so that other load on the machine does not count. */
async function perSecond(encrypt: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let value = 0; value < VALUES; value++) await encrypt();
  const { user, system } = process.cpuUsage(start);
  return (VALUES * 1_000_000) / (user + system);
}

/** Values per second of CPU through the SDK, against node:crypto with a cached key: the median of interleaved rounds. */
export async function measureEncryption(): Promise<{ perSecond: number; ratio: number }> {
  const crypto = nodeCrypto();
  if (!crypto) throw new Error('node:crypto is missing');
  const encryptor = nodeEncryptor(crypto);
  const ours = () => encryptFields(encryptor, key, { value: text });
  await perSecond(ours);
  await perSecond(bare);
  const rounds: { rate: number; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const base = await perSecond(bare);
    const rate = await perSecond(ours);
    rounds.push({ rate, ratio: rate / base });
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[ROUNDS >> 1];
  return { perSecond: middle?.rate ?? 0, ratio: middle?.ratio ?? 0 };
}
