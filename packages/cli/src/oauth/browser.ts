import type { Io } from '../io.ts';

/** Is there a browser that this machine's user sees? Over SSH it would open elsewhere, if at all. */
export function hasBrowser({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/** Where this fails the address is on the screen, so it is not awaited. */
export async function showInBrowser({ openBrowser }: Io, address: string): Promise<void> {
  if (openBrowser) return openBrowser(address);
  const { default: open } = await import('open');
  const started = await open(address).catch(() => null);
  started?.on('error', () => {});
}
