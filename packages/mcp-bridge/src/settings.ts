import { homedir } from 'node:os';
import { join } from 'node:path';

/** Groups of direct tools. Everything else is reached through search_services and run_service. */
export const TOOLSETS = ['bank', 'tax', 'employment', 'insurance'] as const;
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

/** A value that cannot be used. `message` says which and why. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const DEFAULT_TOOLSETS = 'bank,employment';
const DEFAULT_WAIT_CAP = '50';
/** What a host was seen to allow at most (280 s and a margin). */
const LONGEST_WAIT_CAP = 280;

/** @throws SettingError for an unknown toolset or a wait cap that is no number of seconds */
export function readSettings(
  values: SettingValues,
  env: Readonly<Record<string, string | undefined>> = {},
): Settings {
  const tools = values.tools ?? env.CHANGGU_MCP_TOOLS;
  return {
    envScope: env.CHANGGU_ENV_SCOPE ?? 'sandbox',
    toolsets: readToolsets(values.toolsets ?? env.CHANGGU_MCP_TOOLSETS ?? DEFAULT_TOOLSETS),
    tools: tools === undefined ? null : listOf(tools),
    readOnly: values['read-only'] ?? isOn(env.CHANGGU_MCP_READ_ONLY),
    requireElicitation: values['require-elicitation'] ?? isOn(env.CHANGGU_MCP_REQUIRE_ELICITATION),
    waitCapSeconds: readWaitCap(values['wait-cap'] ?? env.CHANGGU_MCP_WAIT_CAP),
    filesDir: values['files-dir'] ?? env.CHANGGU_MCP_FILES_DIR ?? join(homedir(), 'changgu-files'),
    reveal: values.reveal ?? isOn(env.CHANGGU_MCP_REVEAL),
    secretsFile: values.secrets ?? env.CHANGGU_MCP_SECRETS ?? null,
  };
}

function readToolsets(text: string): readonly Toolset[] {
  const names = listOf(text);
  if (names.includes('all')) return TOOLSETS;
  const unknown = names.find((name) => !isToolset(name));
  if (unknown !== undefined) {
    throw new SettingError(
      `There is no toolset ${unknown}. Choose from ${TOOLSETS.join(', ')}, all.`,
    );
  }
  return names.filter(isToolset);
}

function readWaitCap(text = DEFAULT_WAIT_CAP): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST_WAIT_CAP) return seconds;
  throw new SettingError(`The wait cap must be 1 to ${LONGEST_WAIT_CAP} seconds, not ${text}.`);
}

function isToolset(name: string): name is Toolset {
  return TOOLSETS.some((known) => known === name);
}

function isOn(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
