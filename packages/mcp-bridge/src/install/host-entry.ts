import { isJsonObject, type JsonObject } from '../json-object.ts';
import { SettingError } from '../settings.ts';
import type { Host } from './hosts.ts';
import type { InstallTexts } from './install-texts.ts';

/** Hosts put it before every tool's name, and truncate at 64. */
export const SERVER_NAME = 'changgu';

/** How a host starts the bridge. Without a secret: `changgu mcp start` reads the key from the keychain. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * @param flags start options of `changgu-mcp`
 * @param profile the CLI profile whose key is used; by default the active one
 */
export function launchOf(
  flags: readonly string[],
  platform: NodeJS.Platform,
  profile?: string,
): Launch {
  const chosen = profile === undefined ? [] : ['--profile', profile];
  const args = ['mcp', 'start', ...chosen, ...(flags.length === 0 ? [] : ['--', ...flags])];
  // Windows cannot start a script by its bare name.
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'changgu', ...args] }
    : { command: 'changgu', args };
}

/** Our part of the configuration, as it is shown. */
export function entryText(host: Host, launch: Launch): string {
  if (host.format === 'toml') return tomlTable(host, launch);
  const entry = { [host.serversKey]: { [SERVER_NAME]: { ...host.extra, ...launch } } };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

/**
 * The configuration with our entry added; the rest stays unchanged.
 * @param before the current file; empty when there is none
 * @throws SettingError when it cannot be changed safely
 */
export function withEntry(host: Host, before: string, launch: Launch, texts: InstallTexts): string {
  return host.format === 'toml'
    ? withTable(host, before, launch, texts)
    : withMember(host, before, launch, texts);
}

function withMember(host: Host, before: string, launch: Launch, texts: InstallTexts): string {
  const config = before.trim() === '' ? {} : parseObject(before, texts);
  const servers = config[host.serversKey] ?? {};
  if (!isJsonObject(servers)) throw new SettingError(texts.notObject(host.serversKey));
  const entry = { ...host.extra, ...launch };
  const changed = { ...config, [host.serversKey]: { ...servers, [SERVER_NAME]: entry } };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function parseObject(text: string, texts: InstallTexts): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Comments would be lost: some hosts allow them.
  }
  throw new SettingError(texts.notJson);
}

function withTable(host: Host, before: string, launch: Launch, texts: InstallTexts): string {
  const table = tomlTable(host, launch);
  if (`\n${before}\n`.includes(`\n${table}`)) return before;
  const header = `[${host.serversKey}.${SERVER_NAME}]`;
  if (before.includes(header)) {
    throw new SettingError(texts.tableThere(header));
  }
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${gap}${table}`;
}

/** A JSON string is a TOML basic string, and an array of them a TOML array. */
function tomlTable({ serversKey }: Host, { command, args }: Launch): string {
  return `[${serversKey}.${SERVER_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
}
