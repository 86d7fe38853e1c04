import type { Cli } from '../../cli.ts';
import { storeOf } from '../../credentials/credentials.ts';

/** Forgets the secrets of a profile, or of all; the profiles themselves stay. */
export async function logout(
  cli: Cli,
  { all }: { readonly all?: true | undefined },
): Promise<undefined> {
  const { profile, config } = await cli.settings();
  const { login } = cli.texts;
  for (const name of all ? Object.keys(config.profiles) : [profile.value]) {
    const store = config.profiles[name]?.credential_store ?? 'file';
    const removed = await storeOf(store, cli.locations).remove(name);
    await cli.notes.info(removed ? login.loggedOut(name) : login.nothingStored(name));
  }
  if (cli.io.env.CHANGGU_CLIENT_SECRET) await cli.notes.warn(login.environmentStays);
}
