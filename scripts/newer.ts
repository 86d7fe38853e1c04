import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a file was written after the last change to all of these files and folders; false where it is missing. */
export function isNewer(built: string, sources: readonly string[]): boolean {
  const time = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  return (
    time !== undefined && sources.every((source) => changesIn(source).every((at) => at < time))
  );
}

function changesIn(source: string): number[] {
  if (!statSync(source).isDirectory()) return [statSync(source).mtimeMs];
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return names.map((name) => statSync(join(source, name)).mtimeMs);
}
