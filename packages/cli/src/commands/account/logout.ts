import { writes } from '../../command.ts';
import { storeOf } from '../../credentials/credentials.ts';
import { holdingProfile } from '../../credentials/profile-lock.ts';
import type { StoredSecrets } from '../../credentials/secret-store.ts';
import { endWebLogin } from './end-web-login.ts';

/**
 * Deletes the secrets of one profile or of all; the profiles themselves stay. A browser login also ends at the
 * service, and with `everywhere` all logins of the user end.
 */
export const logout = writes<
  [options: { readonly all?: true | undefined; readonly everywhere?: true | undefined }]
>('nothing', async (cli, { all, everywhere }) => {
  const { profile, config } = await cli.settings();
  const { login } = cli.texts;
  if (everywhere) {
    const client = await cli.client('console');
    await client.account.logout({ everywhere }, cli.call);
  }
  for (const name of all ? Object.keys(config.profiles) : [profile.value]) {
    const kind = config.profiles[name]?.credential_store ?? 'file';
    const store = storeOf(kind, cli.io, cli.locations);
    const what = { removes: cli.texts.login.secretOf(name, kind) };
    let secrets: StoredSecrets | null = null;
    const end = async () => {
      // A keychain that cannot be read may still be able to delete.
      secrets = await store.read(name).catch(() => null);
      return store.remove(name);
    };
    try {
      const removed = await cli.change(what, () => holdingProfile(cli, name, end));
      await cli.notes.info(removed ? login.loggedOut(name) : login.nothingStored(name));
    } finally {
      // A service may take its time, and others need not wait for it.
      await endWebLogin(cli, name, secrets);
    }
  }
  if (cli.io.env.CHANGGU_CLIENT_SECRET) await cli.notes.warn(login.environmentStays);
  return undefined;
});
