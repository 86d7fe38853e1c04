import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const UP = 0x01;
const UV = 0x04;
const ATTESTED = 0x40;

/** How an authenticator, or the page before it, may differ from what was asked. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
}

interface Asked {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** A passkey in software: what a browser answers when a person touches the key. */
export function newAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = '';

  function clientData(type: string, asked: Asked, deviation: Deviation): Buffer {
    const challenge = deviation.challenge ?? asked.challenge;
    const data = { type, challenge, origin: deviation.origin ?? origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  function head(asked: Asked, flags: number, deviation: Deviation): Buffer {
    const rpId = deviation.rpId ?? asked.rpId ?? asked.rp?.id ?? '';
    counter = deviation.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = deviation.isVerified === false ? 0 : UV;
    return Buffer.concat([sha256(rpId), Buffer.of(flags | UP | verified), count]);
  }

  const frame = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };

  return {
    id,
    create(asked: Asked, deviation: Deviation = {}) {
      userHandle = asked.user?.id ?? '';
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        head(asked, ATTESTED, deviation),
        Buffer.alloc(16),
        length,
        credentialId,
        cose,
      ]);
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      return {
        ...frame,
        response: {
          clientDataJSON: clientData('webauthn.create', asked, deviation).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(asked: Asked, deviation: Deviation = {}) {
      const data = clientData('webauthn.get', asked, deviation);
      const authData = head(asked, 0, deviation);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return {
        ...frame,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? userHandle,
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof newAuthenticator>;
