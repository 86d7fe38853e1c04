import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- the table of settings is not the wire
import { readEnvironment, VARIABLES } from '@changgu/contract';
import { type Language, terminalLanguage } from '@changgu/contract/language';
import type { Text } from '@changgu/sdk/catalogue';
import { homeDirectory } from './home-directory.ts';

/** Groups of direct tools. Everything else is reached through search_services and run_service. */
export const TOOLSETS = ['bank', 'tax', 'employment', 'insurance', 'other'] as const;
export type Toolset = (typeof TOOLSETS)[number];

export interface Settings {
  /** Shown to the person before an irreversible act; the SDK checks it. */
  readonly envScope: string;
  readonly toolsets: readonly Toolset[];
  /** Exactly these direct tools, by name; null for those of the toolsets. */
  readonly tools: readonly string[] | null;
  /** Nothing irreversible is listed, found or run. */
  readonly readOnly: boolean;
  /** Irreversible services run only where the host can ask its person itself. */
  readonly requireElicitation: boolean;
  /** Longest wait of a call, in seconds; hosts give up at 60. */
  readonly waitCapSeconds: number;
  /** Where files of jobs are saved. */
  readonly filesDir: string;
  /** Shows what looks like an account or resident number in texts of institutions. */
  readonly reveal: boolean;
  /** References to secrets: a JSON file; null for none. */
  readonly secretsFile: string | null;
  /** Of what a host shows to its person: prompts, and the names of resources. */
  readonly language: Language;
}

/** Values as they came from the command line; each wins over its environment variable. */
export interface SettingValues {
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
  readonly 'read-only'?: boolean | undefined;
  readonly 'require-elicitation'?: boolean | undefined;
  readonly 'wait-cap'?: string | undefined;
  readonly 'files-dir'?: string | undefined;
  readonly reveal?: boolean | undefined;
  readonly secrets?: string | undefined;
}

/** A value that cannot be used. Its text says which and why; `message` says it in English. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  readonly text: Text;

  /** @param text a string is already in the language of the terminal */
  constructor(text: Text | string, options?: ErrorOptions) {
    const both = typeof text === 'string' ? { ko: text, en: text } : text;
    super(both.en, options);
    this.text = both;
  }
}

/** The environment variable of each option. */
const VARIABLE_OF: Readonly<Record<keyof SettingValues, string>> = {
  toolsets: VARIABLES.mcpToolsets.name,
  tools: VARIABLES.mcpTools.name,
  'read-only': VARIABLES.mcpReadOnly.name,
  'require-elicitation': VARIABLES.mcpRequireElicitation.name,
  'wait-cap': VARIABLES.mcpWaitCap.name,
  'files-dir': VARIABLES.mcpFilesDir.name,
  reveal: VARIABLES.mcpReveal.name,
  secrets: VARIABLES.mcpSecrets.name,
};

/** @throws SettingError for a value or a name that is not known, each in one line */
export function readSettings(
  values: SettingValues,
  env: Readonly<Record<string, string | undefined>> = {},
): Settings {
  const options = Object.entries(VARIABLE_OF).flatMap(([option, name]) => {
    const value = values[option as keyof SettingValues];
    return value === undefined ? [] : [{ option, name, text: value === true ? '1' : `${value}` }];
  });
  const given = Object.fromEntries(options.map(({ name, text }) => [name, text]));
  const found = readEnvironment('mcp', { ...env, ...given });
  if (!found.ok) {
    const named = (error: string) =>
      options.reduce((text, { option, name }) => text.replace(name, `--${option}`), error);
    const inWords = (language: Language) =>
      found.errors.map((error) => named(error[language])).join('\n');
    throw new SettingError({ ko: inWords('ko'), en: inWords('en') });
  }
  const { values: read } = found;
  return {
    envScope: read.envScope ?? 'sandbox',
    toolsets: read.mcpToolsets.includes('all') ? TOOLSETS : read.mcpToolsets.filter(isToolset),
    tools: read.mcpTools ?? null,
    readOnly: read.mcpReadOnly,
    requireElicitation: read.mcpRequireElicitation,
    waitCapSeconds: read.mcpWaitCap,
    filesDir: read.mcpFilesDir ?? join(homeDirectory(), 'changgu-files'),
    reveal: read.mcpReveal,
    secretsFile: read.mcpSecrets ?? null,
    language: terminalLanguage(env),
  };
}

function isToolset(name: string): name is Toolset {
  return TOOLSETS.some((known) => known === name);
}
