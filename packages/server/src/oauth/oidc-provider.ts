import { ConfigError } from '../config/config-error.ts';

/** The library, an optional dependency: only servers with OAuth need it. @throws ConfigError */
export async function loadOidcProvider(): Promise<typeof import('oidc-provider')> {
  try {
    return await import('oidc-provider');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND') {
      throw new ConfigError([
        'CHANGGU_OAUTH=on needs the package oidc-provider: install it where @changgu/server is, `npm install --global oidc-provider@~9.13.3` for a global server',
      ]);
    }
    throw cause;
  }
}
