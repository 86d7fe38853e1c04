import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';

function json(name: string) {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
}

describe('the package', () => {
  it('says one version and one name everywhere', () => {
    const manifest = json('package.json');
    const registry = json('server.json');
    expect(manifest.version).toBe(VERSION);
    expect(registry.version).toBe(VERSION);
    expect(registry.packages).toMatchObject([{ identifier: manifest.name, version: VERSION }]);
    expect(manifest.mcpName).toBe(registry.name);
    expect(registry.description.length).toBeLessThanOrEqual(100);
  });
});
