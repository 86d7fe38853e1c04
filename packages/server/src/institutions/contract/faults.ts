import iconv from 'iconv-lite';
import type { PortalClient, PortalResponse } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { decodeText, isText } from '../portal/charset.ts';
import type { PlainCase, Scene } from './connector-case.ts';

/** The same case with wrong passwords: any of them may be the one that the action sends. */
export function withWrongPassword(connectorCase: PlainCase, { fault }: Scene): PlainCase {
  if (fault !== 'wrong_password') return connectorCase;
  return withWrongAccount(withWrongLogin(connectorCase));
}

function withWrongLogin(connectorCase: PlainCase): PlainCase {
  const { link } = connectorCase;
  const credential = link?.credential;
  if (link === undefined || credential?.type !== 'id_password') return connectorCase;
  const loginPassword = otherThan(credential.loginPassword);
  return { ...connectorCase, link: { ...link, credential: { ...credential, loginPassword } } };
}

function withWrongAccount(connectorCase: PlainCase): PlainCase {
  const { account, secrets } = connectorCase;
  if (account === undefined) return connectorCase;
  const { account_password: own, ...others } = secrets ?? {};
  const wrong = otherThan(own ?? account.accountPassword);
  return {
    ...connectorCase,
    account: { ...account, accountPassword: wrong },
    secrets: own === undefined ? others : { ...others, account_password: wrong },
  };
}

/** In the same format, so that the portal has to compare it. */
function otherThan(password: string): string {
  const last = password.slice(-1);
  if (/\d/.test(last)) return `${password.slice(0, -1)}${(Number(last) + 1) % 10}`;
  return `${password.slice(0, -1)}${last === 'x' ? 'y' : 'x'}`;
}

/** A portal where one request fails. `fresh` is a client without cookies. */
export function faultyClient(
  client: PortalClient,
  fresh: PortalClient,
  scene: Scene | null,
  requests: () => number,
): PortalClient {
  if (scene === null || scene.fault === 'wrong_password') return client;
  const { fault, at } = scene;
  return {
    cookies: client.cookies,
    async request(order) {
      const number = requests();
      if (fault === 'no_cookies') {
        return (number >= at ? fresh : client).request(order);
      }
      if (number !== at) return client.request(order);
      if (fault === 'no_answer') throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
      return changed(await client.request(order), fault);
    },
  };
}

function changed(response: PortalResponse, fault: Scene['fault']): PortalResponse {
  const { bytes } = response;
  if (fault === 'unknown_page') return page(response, UNKNOWN_PAGE);
  // Only text can have the wrong charset or be truncated in the middle.
  if (!isText(response.contentType)) return response;
  if (fault === 'broken_page') return withBytes(response, bytes.subarray(0, bytes.length / 2));
  const text = response.text();
  const isUtf8 = Buffer.from(text).equals(Buffer.from(bytes));
  return withBytes(response, isUtf8 ? iconv.encode(text, 'cp949') : Buffer.from(text));
}

/** A sentence that no portal uses and no list contains. */
const UNKNOWN_PAGE =
  '<!DOCTYPE html><html><body><div id="wrap"><p>가나다 라마바 사아자 차카타</p></div></body></html>';

function page(response: PortalResponse, html: string): PortalResponse {
  return {
    ...response,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    bytes: Buffer.from(html),
    text: () => html,
  };
}

function withBytes(response: PortalResponse, bytes: Uint8Array): PortalResponse {
  const { contentType } = response;
  return { ...response, bytes, text: () => decodeText(bytes, contentType) };
}
