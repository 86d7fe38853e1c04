import { join } from 'node:path';

/** How a host stores its servers. */
export interface Host {
  readonly id: string;
  readonly title: string;
  /** The path of its configuration; null on a system that the host does not support. */
  file(place: Place): string | null;
  readonly format: 'json' | 'toml';
  /** Name of the object that holds servers by name. */
  readonly serversKey: string;
  /** What the host requires besides command and args. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The parts of the machine that determine paths. */
export interface Place {
  readonly home: string;
  readonly directory: string;
  readonly platform: NodeJS.Platform;
  readonly appData: string | undefined;
}

function json(
  id: string,
  title: string,
  file: Host['file'],
  { serversKey = 'mcpServers', extra = {} }: Partial<Pick<Host, 'serversKey' | 'extra'>> = {},
): Host {
  return { id, title, file, format: 'json', serversKey, extra };
}

/** The hosts that `install` supports; any other host can use the same command. */
export const HOSTS: readonly Host[] = [
  json('claude-desktop', 'Claude Desktop', ({ home, platform, appData }) => {
    const file = join('Claude', 'claude_desktop_config.json');
    if (platform === 'darwin') return join(home, 'Library', 'Application Support', file);
    if (platform === 'win32') return appData === undefined ? null : join(appData, file);
    return join(home, '.config', file);
  }),
  json('claude-code', 'Claude Code', ({ directory }) => join(directory, '.mcp.json'), {
    extra: { type: 'stdio' },
  }),
  json('cursor', 'Cursor', ({ home }) => join(home, '.cursor', 'mcp.json')),
  json('vscode', 'VS Code', ({ directory }) => join(directory, '.vscode', 'mcp.json'), {
    serversKey: 'servers',
    extra: { type: 'stdio' },
  }),
  json('windsurf', 'Windsurf', ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json')),
  json('gemini', 'Gemini CLI', ({ home }) => join(home, '.gemini', 'settings.json')),
  {
    id: 'codex',
    title: 'Codex',
    file: ({ home }) => join(home, '.codex', 'config.toml'),
    format: 'toml',
    serversKey: 'mcp_servers',
    extra: {},
  },
];
