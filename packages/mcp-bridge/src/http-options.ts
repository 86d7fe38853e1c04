import type { ResourceOptions } from './oauth/resource-server.ts';
import { SettingError } from './settings.ts';
import { TEXTS } from './usage-errors.ts';

export interface HttpOptions {
  /** `127.0.0.1:4020`; port 0 for any. */
  readonly listen: string;
  /** What every request has to bring: this token, or one of the service's OAuth. */
  readonly door: { readonly token: string } | { readonly oauth: ResourceOptions };
}

/** Anything shorter can be guessed. */
const MIN_TOKEN_LENGTH = 16;

/**
 * @param env what `CHANGGU_MCP_*` says about who is let in
 * @throws SettingError for what `serveHttp` cannot use
 */
export function readHttpOptions(
  env: Readonly<Record<string, string | undefined>>,
  listen = '127.0.0.1:4020',
): HttpOptions {
  const door = doorOf(env);
  readToken(door);
  readAddress(listen);
  return { listen, door };
}

function doorOf(env: Readonly<Record<string, string | undefined>>): HttpOptions['door'] {
  const { CHANGGU_MCP_RESOURCE: resource, CHANGGU_MCP_TOKEN: token } = env;
  if (!resource) return { token: token ?? '' };
  if (token) throw new SettingError(TEXTS.bothDoors);
  const { CHANGGU_MCP_INTROSPECTION_ID: clientId, CHANGGU_MCP_INTROSPECTION_SECRET: clientSecret } =
    env;
  if (!clientId || !clientSecret) {
    throw new SettingError(TEXTS.noIntrospection);
  }
  return { oauth: { resource, baseUrl: env.CHANGGU_BASE_URL ?? '', clientId, clientSecret } };
}

/**
 * @returns what every request has to bring, or null with OAuth
 * @throws SettingError when it is too short
 */
export function readToken(door: HttpOptions['door']): string | null {
  if (!('token' in door)) return null;
  if (door.token.length < MIN_TOKEN_LENGTH) {
    throw new SettingError({
      ko: `CHANGGU_MCP_TOKEN은 ${MIN_TOKEN_LENGTH}자 이상이어야 합니다.`,
      en: `CHANGGU_MCP_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters.`,
    });
  }
  return door.token;
}

/** @throws SettingError unless it is host:port */
export function readAddress(listen: string): { host: string; port: number } {
  const match = /^(?:\[(?<six>[0-9a-fA-F:]+)\]|(?<host>[\w.-]+)):(?<port>\d{1,5})$/.exec(listen);
  const { six, host, port } = match?.groups ?? {};
  const name = six ?? host;
  if (name === undefined || Number(port) > 65_535) {
    throw new SettingError({
      ko: `--listen은 host:port 형식이어야 합니다. 입력한 값은 "${listen}"입니다.`,
      en: `--listen must be host:port, not ${listen}.`,
    });
  }
  return { host: name, port: Number(port) };
}
