/**
 * Claims of the SDK, as ratios in one run: what it costs to import, to submit, to type-check and to
 * encrypt, and how large it is in a page. Needs `pnpm build`.
 * Run: node --conditions=@changgu/source bench/sdk.ts
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { measureEncryption } from './support/sdk-encryption.ts';
import { measureImports } from './support/sdk-import.ts';
import { measureSubmit } from './support/sdk-submit.ts';
import { measureTypes } from './support/sdk-types.ts';

const DIST = join(import.meta.dirname, '..', 'packages', 'sdk', 'dist');

/** Size of an entry including the chunks that it imports, compressed. */
function compressedSize(entry: string, seen = new Set<string>()): number {
  if (seen.has(entry)) return 0;
  seen.add(entry);
  const text = readFileSync(join(DIST, entry), 'utf8');
  const chunks = text.matchAll(/from\s*["']\.\/([\w-]+\.js)["']/g);
  const inner = [...chunks].map(([, name = '']) => compressedSize(name, seen));
  return inner.reduce((sum, size) => sum + size, gzipSync(text, { level: 9 }).length);
}

function installedSize(): number {
  const names = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(DIST, name)).size, 0);
}

const failures: string[] = [];
function report(what: string, value: number, reach: number, unit: string, atLeast = false): void {
  const met = atLeast ? value >= reach : value <= reach;
  if (!met) failures.push(what);
  const bound = `${atLeast ? '≥' : '≤'} ${reach}`;
  console.log(`${met ? 'ok  ' : 'FAIL'}  ${what}: ${value.toFixed(2)} ${unit} (${bound})`);
}

console.log(`Node ${process.version}, ${process.arch}`);
const imports = measureImports();
report('import, CPU against bare Node', imports['@changgu/sdk'], 1.15, '×');
console.log(
  `      beside: stripe ${imports.stripe.toFixed(2)} ×, replicate ${imports.replicate.toFixed(2)} ×`,
);
const submit = await measureSubmit();
report('submit, CPU against undici.fetch', submit.ratio, 1.2, '×');
console.log(`      ${submit.sdk.toFixed(0)} µs against ${submit.fetch.toFixed(0)} µs`);
console.log(`      beside: undici.request ${submit.request.toFixed(0)} µs`);
const types = measureTypes();
report('type-check of 200 calls against untyped', types.ratio, 2, '×');
const encryption = await measureEncryption();
report('encryption against node:crypto', encryption.ratio, 0.9, '×', true);
report('@changgu/sdk/encrypt, compressed', compressedSize('encrypt.js') / 1000, 3, 'kB');
console.log(`      @changgu/sdk compressed: ${(compressedSize('index.js') / 1000).toFixed(1)} kB`);
console.log(
  `      installed: ${(installedSize() / 1000).toFixed(0)} kB with declarations and the catalog`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
