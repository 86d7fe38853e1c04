import type { WritingCli } from '../../cli.ts';
import { isWebLogin, type StoredSecrets } from '../../credentials/secret-store.ts';

/** Ends the tokens of a login in the browser at the service. Where that fails, it says where else they are ended. */
export async function endWebLogin(
  cli: WritingCli,
  profile: string,
  secrets: StoredSecrets | null,
): Promise<void> {
  if (secrets === null || !isWebLogin(secrets)) return;
  const { revokeLogin } = await import('../../oauth/tokens.ts');
  await revokeLogin(cli, secrets).catch(() =>
    cli.notes.warn(cli.texts.webLogin.notRevoked(profile)),
  );
}
