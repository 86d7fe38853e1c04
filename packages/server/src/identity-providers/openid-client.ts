export type Library = typeof import('openid-client');

let loading: Promise<Library> | undefined;

/** The library, for servers where a provider is configured, with the first login. */
export function loadOpenIdClient(): Promise<Library> {
  loading ??= import('openid-client');
  return loading;
}

const REFUSED_STATUS = new Set([401, 403]);

/** Did the provider say no, and not just fail to answer? */
export function isRefusal(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  if ('error' in failure && failure.error === 'invalid_grant') return true;
  const isChallenge = 'code' in failure && failure.code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE';
  return isChallenge && 'status' in failure && REFUSED_STATUS.has(Number(failure.status));
}
