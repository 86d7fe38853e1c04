/** Other runtimes than this one, and what a page or worker loads. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsup';
import { project, ROOT, write } from './packed-project.ts';

/** Scripted servers answer from this process, so nothing may block it. */
export function runAsync(
  command: string,
  args: string[],
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(command, args, { cwd: project }).catch((failed: unknown) => {
    const { stdout = '', stderr = '' } = failed as { stdout?: string; stderr?: string };
    return { stdout, stderr: `${stderr}${String(failed)}` };
  });
}

/** One script of everything, for a runtime without modules. */
export async function bundle(
  name: string,
  source: string,
  { format = 'iife', conditions = [] }: { format?: 'iife' | 'esm'; conditions?: string[] } = {},
): Promise<string> {
  write(`${name}.js`, source);
  await build({
    entry: { [name]: join(project, `${name}.js`) },
    format,
    platform: 'browser',
    target: 'es2023',
    outDir: join(project, 'bundles'),
    noExternal: [/.*/],
    external: [/^node:/],
    minify: true,
    config: false,
    splitting: false,
    esbuildOptions(options) {
      if (conditions.length > 0) options.conditions = conditions;
    },
    silent: true,
    clean: false,
  });
  const file = format === 'iife' ? `${name}.global.js` : `${name}.js`;
  return readFileSync(join(project, 'bundles', file), 'utf8');
}

/** What a worker has, and nothing of Node. */
export function workerGlobals() {
  return {
    fetch,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
    ReadableStream,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
    FormData,
    crypto,
    performance,
    btoa,
    atob,
    setTimeout,
    clearTimeout,
    Uint8Array,
  };
}

/** Bun and Deno come from npm packages that exist for some platforms only. */
export const runtimes = [
  { runtime: 'Bun', from: '@oven/bun-linux-x64', binary: 'bin/bun', args: ['run'] },
  { runtime: 'Deno', from: '@deno/linux-x64-glibc', binary: 'deno', args: ['run', '-A'] },
].filter(({ from }) => existsSync(join(ROOT, 'node_modules', from)));
