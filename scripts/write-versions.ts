/** Copies the version of each package.json to the files that repeat it: `pnpm raise-versions` does so for a release. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files of a package that repeat its version, each with how it is written there. */
const COPIES = [
  { file: 'src/version.ts', written: /(?<=VERSION = ')[^']+(?=')/g },
  { file: 'server.json', written: /(?<="version": ")[^"]+(?=")/g },
];

export function writeVersions(root: string): void {
  for (const manifest of globSync('packages/*/package.json', { cwd: root })) {
    const { version } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
    for (const { file, written } of COPIES) {
      for (const copy of globSync(join(dirname(manifest), file), { cwd: root })) {
        const path = join(root, copy);
        writeFileSync(path, readFileSync(path, 'utf8').replace(written, version));
      }
    }
  }
}

if (import.meta.main) writeVersions(process.cwd());
