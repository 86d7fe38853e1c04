import {
  constants,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { PortalSession } from './sessions.ts';
import { refuse } from './stop.ts';
import type { Visit } from './visit.ts';
import { hidden } from './visit.ts';

const KEYS = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_=+.',
);

interface Keypad {
  readonly privateKey: KeyObject;
  /** What each key sends instead of its character. */
  readonly codes: ReadonlyMap<string, string>;
}

const keypads = new WeakMap<PortalSession, Keypad>();

/** A keypad of this page: other codes each time, and a key to encrypt what was typed. */
export function keypad(visit: Visit): Html {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map(KEYS.map((key) => [randomBytes(4).toString('hex'), key]));
  keypads.set(visit.session, { privateKey, codes });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return html`${hidden('keypadKey', spki)}<ul id="keypad">${[...codes].map(([code, key]) => html`<li data-code="${code}"><img src="/keypad/${code}.png" alt="${key}"></li>`)}</ul>`;
}

/** What was typed: the codes of its keys, joined by a space and encrypted by RSA-OAEP with SHA-256. */
export function typedOn(visit: Visit, sent: string): string {
  const pad = keypads.get(visit.session);
  keypads.delete(visit.session);
  if (pad === undefined) throw refuse('키패드를 다시 실행하여 주십시오.', 'E1501');
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const { privateKey: key, codes } = pad;
    const plain = privateDecrypt({ key, padding, oaepHash: 'sha256' }, Buffer.from(sent, 'base64'));
    return plain
      .toString()
      .split(' ')
      .map((code) => codes.get(code) ?? '')
      .join('');
  } catch {
    throw refuse('키패드 입력값을 확인할 수 없습니다.', 'E1502');
  }
}
