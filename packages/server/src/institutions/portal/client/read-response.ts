import type { Response } from 'undici';
import type { PortalResponse } from '../../connector.ts';
import { InstitutionError } from '../../institution-error.ts';
import { decodeText } from '../charset.ts';

export function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return null;
  // Headers carry bytes, each of which is a character here; a portal's Korean query comes back as it was sent.
  const text = location.replaceAll(/[\u0080-\u00FF]/g, (byte) => `%${hex(byte)}`);
  if (!URL.canParse(text, from)) throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
  return new URL(text, from);
}

function hex(byte: string): string {
  return byte.charCodeAt(0).toString(16).toUpperCase();
}

/** @throws InstitutionError for a body that is too large */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null) {
    // Leaving the loop cancels the stream and closes the connection.
    for await (const piece of response.body) {
      length += piece.length;
      if (length > maxBytes) {
        throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
          upstreamStatus: response.status,
          transient: false,
        });
      }
      pieces.push(piece);
    }
  }
  return Buffer.concat(pieces, length);
}

export function toResponse(
  response: Response,
  url: URL,
  origins: readonly string[],
  bytes: Uint8Array,
): PortalResponse {
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    url: url.href,
    contentType,
    header: (name) => response.headers.get(name),
    origins,
    bytes,
    text: () => decodeText(bytes, contentType),
  };
}
