import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'tsup';

/**
 * Bundles programs and modules, with all that they import, from the sources into a folder. A process takes a third
 * of the work to start from there.
 * @param entry the source of each, by the name of its file without `.js`
 */
export async function bundlePrograms(
  entry: Readonly<Record<string, string>>,
  outDir: string,
): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: { ...entry },
    outDir,
    format: 'esm',
    target: 'node24',
    outExtension: () => ({ js: '.js' }),
    noExternal: [/./],
    splitting: true,
    removeNodeProtocol: false,
    shims: true,
    banner: {
      js: "import { createRequire as createBundledRequire } from 'node:module'; const require = createBundledRequire(import.meta.url);",
    },
    esbuildOptions(options) {
      options.conditions = ['@changgu/source'];
    },
  });
  // Without it, each process first looks for the module syntax of each file.
  await writeFile(join(outDir, 'package.json'), '{"type":"module"}');
}
