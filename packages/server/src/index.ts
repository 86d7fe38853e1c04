/** Changgu in a process of yours; the command `changgu-server` is the usual way. */
export { ConfigError } from './config/config-error.ts';

export interface ChangguServer {
  /** Where it listens, e.g. `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Takes no more requests and jobs, lets those under way end, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * Starts what `changgu-server serve` starts.
 * @param env CHANGGU_… variables, as in docs/operations.md
 * @throws ConfigError naming every setting that is missing or wrong
 */
export async function serve(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ChangguServer> {
  const [{ readConfig }, { startServe }] = await Promise.all([
    import('./config/server-config.ts'),
    import('./composition/start-serve.ts'),
  ]);
  const { url, close } = await startServe(await readConfig('serve', env));
  return { url, close };
}
