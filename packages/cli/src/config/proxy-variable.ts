import type { Io } from '../io.ts';

/** The environment variable that sends requests through a proxy; null when there is none. */
export function proxyVariable(env: Io['env']): string | null {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  return names.find((name) => env[name]) ?? null;
}
