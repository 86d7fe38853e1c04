import type { PortalRequest, PortalResponse } from '../connector.ts';
import { createPortalHttp, type PortalHttp } from '../portal/client/http-client.ts';

/** Sees every answer of the portal, and may return another one in its place. */
export type ChangeAnswer = (response: PortalResponse, request: PortalRequest) => PortalResponse;

/** The portal really performs every request; only its answers may be changed. */
export function changedHttp(change: ChangeAnswer, http = createPortalHttp()): PortalHttp {
  return {
    open(options) {
      const client = http.open(options);
      return {
        cookies: client.cookies,
        request: async (request) => change(await client.request(request), request),
      };
    },
    close: () => http.close(),
  };
}

/** The same answer with another text, in UTF-8. */
export function withText(response: PortalResponse, text: string): PortalResponse {
  const contentType = 'text/html; charset=utf-8';
  return { ...response, contentType, bytes: Buffer.from(text), text: () => text };
}
