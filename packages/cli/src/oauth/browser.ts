import type { Io } from '../io.ts';

/** Whether this machine has a browser that its user sees. Over SSH it would open elsewhere, if at all. */
export function hasBrowser({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/** Not awaited: if it fails, the address is on the screen. */
export async function showInBrowser({ openBrowser }: Io, address: string): Promise<void> {
  if (openBrowser) return openBrowser(address);
  const { default: open } = await import('open');
  const started = await open(address).catch(() => null);
  started?.on('error', () => {});
}
