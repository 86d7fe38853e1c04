import { readFileSync } from 'node:fs';

/** Field 22 of /proc/<pid>/stat, counted from behind the name, which may contain spaces. */
const START_AFTER_NAME = 19;

/**
 * When a process began, in an unspecified unit: two processes of the same number differ in it. Null where the system
 * does not tell it in a file, which is everywhere but on Linux; there numbers are not used again soon.
 */
export function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[START_AFTER_NAME] ?? null;
  } catch {
    return null;
  }
}
