import { VERSION } from './version.ts';

/** Where the SDK runs. Only the outermost facts: features are asked for where they are used. */
export function isBrowser(): boolean {
  const scope: { window?: unknown; document?: unknown } = globalThis;
  const page = scope.window !== undefined && scope.document !== undefined;
  return !isNodeLike() && page;
}

/** Node itself: Bun and Deno name its version too, and so do workers with Node compatibility. */
export function isNode(): boolean {
  return isNodeLike() && !('Bun' in globalThis) && !('Deno' in globalThis) && !isWorkerd();
}

/** Cloudflare's runtime names itself nowhere else. */
function isWorkerd(): boolean {
  return typeof navigator === 'object' && navigator.userAgent === 'Cloudflare-Workers';
}

function isNodeLike(): boolean {
  return typeof process === 'object' && typeof process.versions?.node === 'string';
}

/** The environment variable, or undefined where it is unset, empty, or where there is no environment. */
export function environmentVariable(name: string): string | undefined {
  if (typeof process !== 'object') return undefined;
  return process.env?.[name] || undefined;
}

export function userAgent(): string {
  const runtime = isNodeLike() ? ` node/${process.versions.node}` : '';
  return `changgu-sdk/${VERSION}${runtime}`;
}
