/** Agent hosts that `mcp install` supports. */
export const HOSTS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'gemini',
  'codex',
];
