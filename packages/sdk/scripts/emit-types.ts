/**
 * Writes the declarations of the package. The contract is private, so its declarations are put beside ours and every
 * import of it is turned to them: a declaration bundler leaves what it cannot resolve as `any`, in silence. Separate
 * files also stay open to augmentation, which one bundled file is not.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..');
const types = join(root, 'dist', 'types');
const entries = ['index', 'catalogue', 'encrypt', 'webhooks', 'node-rsa', 'testing'];
const contract: Readonly<Record<string, string>> = {
  '@changgu/contract': join(types, 'contract', 'src', 'index.js'),
  '@changgu/contract/catalogue': join(types, 'contract', 'src', 'catalogue.js'),
  '@changgu/contract/errors': join(types, 'contract', 'src', 'errors.js'),
};

rmSync(types, { recursive: true, force: true });
const windows = process.platform === 'win32';
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit', shell: windows });

for (const path of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  if (path.endsWith('.d.ts')) rewrite(join(types, path));
}
for (const folder of [join(root, 'dist'), join(root, 'dist', 'cjs')]) {
  for (const entry of entries) {
    const target = `./types/sdk/src/${entry}.js`;
    writeFileSync(join(folder, `${entry}.d.ts`), `export * from '${target}';\n`);
  }
}
// The same declarations mean CommonJS in a folder that says so.
cpSync(types, join(root, 'dist', 'cjs', 'types'), { recursive: true });
writeFileSync(join(root, 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');

function rewrite(file: string): void {
  const text = readFileSync(file, 'utf8').replaceAll(
    /(from |import\()'([^']+)'/g,
    (_, before: string, name: string) => `${before}'${published(file, name)}'`,
  );
  writeFileSync(file, text);
}

function published(file: string, name: string): string {
  const target = contract[name];
  if (!target && !name.startsWith('.')) return name;
  const path = target ?? join(dirname(file), name.replace(/\.ts$/, '.js'));
  if (!existsSync(path.replace(/\.js$/, '.d.ts')))
    throw new Error(`${file}: ${name} is not there.`);
  const from = relative(dirname(file), path).split(sep).join('/');
  return from.startsWith('.') ? from : `./${from}`;
}
