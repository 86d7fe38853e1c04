interface AgentHost {
  /** The name that `changgu mcp install` uses. */
  readonly id: string;
  readonly name: string;
  /** The file that lists its servers. */
  readonly place: string;
  readonly settings: string;
}

const start = { command: 'changgu', args: ['mcp', 'start'] };
const SERVERS = JSON.stringify({ mcpServers: { changgu: start } }, null, 2);
const VS_CODE = JSON.stringify({ servers: { changgu: { type: 'stdio', ...start } } }, null, 2);
const CODEX = '[mcp_servers.changgu]\ncommand = "changgu"\nargs = ["mcp", "start"]';

export const AGENT_HOSTS: readonly AgentHost[] = [
  { id: 'claude-code', name: 'Claude Code', place: '.mcp.json', settings: SERVERS },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    place: 'claude_desktop_config.json',
    settings: SERVERS,
  },
  { id: 'cursor', name: 'Cursor', place: '~/.cursor/mcp.json', settings: SERVERS },
  { id: 'vscode', name: 'VS Code', place: '.vscode/mcp.json', settings: VS_CODE },
  {
    id: 'windsurf',
    name: 'Windsurf',
    place: '~/.codeium/windsurf/mcp_config.json',
    settings: SERVERS,
  },
  { id: 'gemini', name: 'Gemini CLI', place: '~/.gemini/settings.json', settings: SERVERS },
  { id: 'codex', name: 'Codex', place: '~/.codex/config.toml', settings: CODEX },
];

/** The key is stored in the keychain, and no secret in a settings file. */
export function commandsFor({ id }: AgentHost, address: string): string {
  return [
    'npm install -g @changgu/cli @changgu/mcp-bridge',
    `CHANGGU_BASE_URL=${address} changgu login`,
    `changgu mcp install ${id}`,
  ].join('\n');
}
