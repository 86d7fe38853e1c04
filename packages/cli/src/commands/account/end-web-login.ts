import type { WritingCli } from '../../cli.ts';
import { isWebLogin, type StoredSecrets } from '../../credentials/secret-store.ts';

/** Revokes the tokens of a browser login at the service. If that fails, it says how else to revoke them. */
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
