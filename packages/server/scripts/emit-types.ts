/**
 * Writes the declarations of what the package exports, and of nothing else. The contract is private,
 * so the declarations that ours need are put beside them and their imports turned to those.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

const ENTRIES = ['index', 'connector'];
const root = join(import.meta.dirname, '..');
const types = join(root, 'dist', 'types');
const contract: Readonly<Record<string, string>> = {
  '@changgu/contract': join(types, 'contract', 'src', 'index.d.ts'),
  '@changgu/contract/catalogue': join(types, 'contract', 'src', 'catalogue.d.ts'),
  '@changgu/contract/errors': join(types, 'contract', 'src', 'errors.d.ts'),
};

rmSync(types, { recursive: true, force: true });
const shell = process.platform === 'win32';
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit', shell });
// The compiler would follow its imports into the whole server; its declaration needs none of it.
const index = ts.transpileDeclaration(readFileSync(join(root, 'src', 'index.ts'), 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true },
  reportDiagnostics: true,
});
if (index.diagnostics?.length) throw new Error('src/index.ts needs explicit types');
writeFileSync(join(types, 'server', 'src', 'index.d.ts'), index.outputText);

const kept = new Set<string>();
for (const entry of ENTRIES) {
  keep(join(types, 'server', 'src', `${entry}.d.ts`));
  const target = `./types/server/src/${entry}.js`;
  writeFileSync(join(root, 'dist', `${entry}.d.ts`), `export * from '${target}';\n`);
}
for (const path of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  const file = join(types, path);
  if (path.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
}

/** Keeps a declaration and all that it names, with its imports as they are published. */
function keep(file: string): void {
  if (kept.has(file)) return;
  kept.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(
    /(from |import\()(['"])([^'"]+)\2/g,
    (_, before: string, quote: string, name: string) =>
      `${before}${quote}${published(file, name)}${quote}`,
  );
  writeFileSync(file, text);
}

function published(file: string, name: string): string {
  const target = contract[name];
  if (target === undefined && name.startsWith('@changgu/')) {
    throw new Error(`${file}: ${name} is private`);
  }
  if (target === undefined && !name.startsWith('.')) return name;
  const path = target ?? join(dirname(file), name.replace(/\.(ts|js)$/, '.d.ts'));
  if (!existsSync(path)) throw new Error(`${file}: ${name} is not there`);
  keep(path);
  const from = relative(dirname(file), path)
    .split(sep)
    .join('/')
    .replace(/\.d\.ts$/, '.js');
  return from.startsWith('.') ? from : `./${from}`;
}
