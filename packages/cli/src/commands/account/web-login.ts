import * as openid from 'openid-client';
import type { WritingCli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT } from '../../exit-codes.ts';
import { tell } from '../../io.ts';
import { type Authorization, explained, findAuthorization } from '../../oauth/authorization.ts';
import { hasBrowser, showInBrowser } from '../../oauth/browser.ts';
import { openLoopback } from '../../oauth/loopback.ts';
import { secretsOf, type TokenSecrets } from '../../oauth/tokens.ts';
import { safeLine } from '../../terminal-text.ts';

/** All scopes: the person chooses on the page, where irreversible ones are not preselected. */
const SCOPE = 'jobs:read jobs:submit jobs:irreversible links:read';
/** As long as the service waits for the person. */
const MAX_WAIT_MS = 10 * 60_000;

/** A person approves this program at the service, in a browser on this machine or another. */
export async function webLogin(
  cli: WritingCli,
  baseUrl: string,
  { device }: { readonly device: boolean },
): Promise<TokenSecrets> {
  const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const authorization = await findAuthorization(cli, baseUrl);
  const log = device || !hasBrowser(cli.io) ? byDeviceCode : byBrowser;
  try {
    const tokens = await explained(cli, () => log(cli, authorization, signal));
    return secretsOf(tokens, cli.now());
  } catch (error) {
    if (!signal.aborted || cli.signal.aborted) throw error;
    throw new CliError('LOGIN_EXPIRED', cli.texts.webLogin.expired, EXIT.forbidden, [
      'changgu login --web',
    ]);
  }
}

async function byBrowser(
  { io, texts: { webLogin: texts } }: WritingCli,
  { config, resource }: Authorization,
  signal: AbortSignal,
) {
  const state = openid.randomState();
  const verifier = openid.randomPKCECodeVerifier();
  await using door = await openLoopback(state, texts.backToTerminal);
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: door.redirectUri,
    scope: SCOPE,
    resource,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  // Shown with any output format, because the login cannot continue without it.
  await tell(io.stderr, `${texts.inBrowser}\n  ${address.href}\n`);
  await showInBrowser(io, address.href);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  return openid.authorizationCodeGrant(config, await door.answer(signal), checks, { resource });
}

async function byDeviceCode(
  { io, texts: { webLogin: texts } }: WritingCli,
  { config, resource }: Authorization,
  signal: AbortSignal,
) {
  const device = await openid.initiateDeviceAuthorization(config, { scope: SCOPE, resource });
  const address = safeLine(device.verification_uri);
  await tell(io.stderr, `${texts.onAnotherMachine(address)}\n  ${safeLine(device.user_code)}\n`);
  return openid.pollDeviceAuthorizationGrant(config, device, { resource }, { signal });
}
