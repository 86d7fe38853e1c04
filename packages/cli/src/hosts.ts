/** Hosts of agents that `mcp install` knows. */
export const HOSTS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'gemini',
  'codex',
];
