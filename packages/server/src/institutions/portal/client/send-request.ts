import { randomBytes } from 'node:crypto';
import { type Agent, fetch } from 'undici';
import type { PortalRequest } from '../../connector.ts';
import { encodeForm, encodeMultipart } from '../charset.ts';

const USER_AGENT = 'Mozilla/5.0 (compatible; Changgu/2.0)';

interface Sending {
  readonly agent: Agent;
  /** Empty where there is none. */
  readonly cookie: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export function send(url: URL, order: PortalRequest, { agent, cookie, headers, signal }: Sending) {
  const { body, type } = bodyOf(order);
  return fetch(url, {
    method: order.method ?? 'GET',
    headers: {
      'user-agent': USER_AGENT,
      accept: '*/*',
      'accept-language': 'ko-KR,ko;q=0.9',
      ...headers,
      ...(cookie === '' ? {} : { cookie }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...order.headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    dispatcher: agent,
    signal,
  });
}

/** The Referer that a browser would send: the full address within an origin, otherwise the origin. */
export function browserHeaders(
  from: URL | null,
  to: URL,
  method = 'GET',
): Readonly<Record<string, string>> {
  const origin: Record<string, string> =
    method === 'GET' ? {} : { origin: from?.origin ?? to.origin };
  if (from === null) return origin;
  return { ...origin, referer: from.origin === to.origin ? from.href : `${from.origin}/` };
}

function bodyOf({ form, multipart, json, body, charset }: PortalRequest): {
  body?: string | Uint8Array;
  type?: string;
} {
  if (body !== undefined) return { body: body.content, type: body.contentType };
  if (multipart !== undefined) {
    const boundary = `----FormBoundary${randomBytes(12).toString('hex')}`;
    const type = `multipart/form-data; boundary=${boundary}`;
    return { body: encodeMultipart(multipart, boundary, charset), type };
  }
  if (form !== undefined) {
    return { body: encodeForm(form, charset), type: 'application/x-www-form-urlencoded' };
  }
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  return {};
}
