import { describe, expect, it } from 'vitest';
import { entryText, launchOf, withEntry } from './host-entry.ts';
import { HOSTS } from './hosts.ts';
import { INSTALL_TEXTS } from './install-texts.ts';

const launch = launchOf(['--read-only'], 'linux');

function hostOf(id: string) {
  const host = HOSTS.find((one) => one.id === id);
  if (!host) throw new Error(`no host ${id}`);
  return host;
}

describe('install', () => {
  it.each(HOSTS)('writes $id so that it starts the bridge, and names no secret', (host) => {
    const text = withEntry(host, '', launch, INSTALL_TEXTS.ko);
    expect(text).toContain('changgu');
    expect(text).toContain('--read-only');
    expect(text).not.toMatch(/secret|password|CLIENT_ID/i);
    expect(text).toBe(entryText(host, launch));
  });

  it('leaves everything else as it is, and is the same the second time', () => {
    const host = hostOf('cursor');
    const before = JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } } });
    const after = withEntry(host, before, launch, INSTALL_TEXTS.ko);
    expect(JSON.parse(after)).toMatchObject(JSON.parse(before));
    expect(withEntry(host, after, launch, INSTALL_TEXTS.ko)).toBe(after);
  });

  it('refuses to rewrite what it would harm', () => {
    expect(() => withEntry(hostOf('vscode'), '{ // mine\n}', launch, INSTALL_TEXTS.ko)).toThrow(
      'JSON',
    );
    const table = withEntry(hostOf('codex'), 'model = "x"\n', launch, INSTALL_TEXTS.ko);
    expect(table).toContain('model = "x"\n\n[mcp_servers.changgu]');
    expect(withEntry(hostOf('codex'), table, launch, INSTALL_TEXTS.ko)).toBe(table);
    expect(() =>
      withEntry(hostOf('codex'), table, launchOf([], 'linux'), INSTALL_TEXTS.ko),
    ).toThrow('이미');
  });

  it('starts with the profile that it was installed with', () => {
    expect(launchOf(['--read-only'], 'linux', 'night').args).toEqual([
      'mcp',
      'start',
      '--profile',
      'night',
      '--',
      '--read-only',
    ]);
  });

  it('starts through cmd on Windows', () => {
    expect(launchOf([], 'win32')).toEqual({
      command: 'cmd',
      args: ['/c', 'changgu', 'mcp', 'start'],
    });
  });
});
