import { breakerScripts } from './breakers.ts';
import { clockScripts } from './clock-scripts.ts';
import { engineScripts } from './engine-scripts.ts';
import type { Script } from './script.ts';

/**
 * Every group of transaction scripts, one per aggregate: `store.<group>.<script>(input)`.
 * Adding an aggregate is one schema file, one migration, one file of scripts and one line here.
 */
export const SCRIPTS = {
  clock: clockScripts,
  engine: engineScripts,
  breakers: breakerScripts,
};

export type ScriptGroups = typeof SCRIPTS;

/** A call by name, as it travels to where the database is. */
export interface ScriptName {
  readonly group: string;
  readonly script: string;
}

const GROUPS: Readonly<Record<string, Readonly<Record<string, Script<unknown, unknown>>>>> =
  SCRIPTS;

export function findScript({ group, script }: ScriptName): Script<unknown, unknown> {
  const found = GROUPS[group]?.[script];
  if (found === undefined) throw new Error(`there is no script ${group}.${script}`);
  return found;
}

export function scriptNames(): ScriptName[] {
  return Object.entries(GROUPS).flatMap(([group, scripts]) =>
    Object.keys(scripts).map((script) => ({ group, script })),
  );
}
