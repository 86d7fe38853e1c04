import { VERSION } from './version.ts';

/** The runtime. Only the basic facts: features are detected where they are used. */
export function isBrowser(): boolean {
  const scope: { window?: unknown; document?: unknown } = globalThis;
  const page = scope.window !== undefined && scope.document !== undefined;
  return !isNodeLike() && page;
}

/** Node itself. Bun, Deno, and workers with Node compatibility also report its version. */
export function isNode(): boolean {
  return isNodeLike() && !('Bun' in globalThis) && !('Deno' in globalThis) && !isWorkerd();
}

/** Cloudflare's runtime can only be recognized by this. */
function isWorkerd(): boolean {
  return typeof navigator === 'object' && navigator.userAgent === 'Cloudflare-Workers';
}

function isNodeLike(): boolean {
  return typeof process === 'object' && typeof process.versions?.node === 'string';
}

/** The environment variable, or undefined when it is unset or empty, or when there is no environment. */
export function environmentVariable(name: string): string | undefined {
  if (typeof process !== 'object') return undefined;
  return process.env?.[name] || undefined;
}

export function userAgent(): string {
  const runtime = isNodeLike() ? ` node/${process.versions.node}` : '';
  return `changgu-sdk/${VERSION}${runtime}`;
}
