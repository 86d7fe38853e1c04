import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';
/** What precedes the 32 bytes of an ed25519 key in PKCS#8. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The keys of an endpoint that exists only on this machine. */
export interface ListenKeys {
  /** `whsec_…` */
  readonly secret: string;
  /** `whpk_…` */
  readonly publicKey: string;
  /** The headers with which the service would send this body. */
  sign(id: string, body: string, now: number): Readonly<Record<string, string>>;
}

export function generateSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Null if it is not a secret of Standard Webhooks: 24 to 64 bytes. */
export function listenKeys(secret: string): ListenKeys | null {
  const base64 = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 24 || bytes.length > 64 || bytes.toString('base64') !== base64) return null;
  // The key pair is derived from the secret, so that one value gives the same keys in every run.
  const seed = Buffer.from(hkdfSync('sha256', bytes, '', 'changgu webhooks listen', SECRET_BYTES));
  const key = Buffer.concat([ED25519_PKCS8, seed]);
  const privateKey = createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    secret,
    publicKey: `${PUBLIC_PREFIX}${Buffer.from(x, 'base64url').toString('base64')}`,
    sign(id, body, now) {
      const timestamp = String(Math.floor(now / 1_000));
      const content = `${id}.${timestamp}.${body}`;
      const v1 = createHmac('sha256', bytes).update(content).digest('base64');
      const v1a = sign(null, Buffer.from(content), privateKey).toString('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${v1} v1a,${v1a}`,
      };
    },
  };
}
