import { describe, expect, it } from 'vitest';
import { lookupsOf } from '../backends/postgres-calls.ts';
import { lookup } from './script.ts';
import { shareLookups } from './shared-lookups.ts';

function openLookups() {
  const started: { key: string; end: PromiseWithResolvers<string> }[] = [];
  const lookUp = shareLookups((key: string) => {
    const end = Promise.withResolvers<string>();
    started.push({ key, end });
    return end.promise;
  });
  return { lookUp, started };
}

describe('lookups of the same key', () => {
  it('share the one that begins after they asked, and never one that began before (D98)', async () => {
    const { lookUp, started } = openLookups();
    const first = lookUp('a');
    const later = [lookUp('a'), lookUp('a'), lookUp('a')];
    expect(started).toHaveLength(1);
    started[0]?.end.resolve('old');
    expect(await first).toBe('old');
    await Promise.resolve();
    expect(started).toHaveLength(2);
    started[1]?.end.resolve('new');
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
  });

  it('continue after one that failed', async () => {
    const { lookUp, started } = openLookups();
    const [first, second] = [lookUp('a'), lookUp('a')];
    started[0]?.end.reject(new Error('no connection'));
    await expect(first).rejects.toThrow('no connection');
    await Promise.resolve();
    started[1]?.end.resolve('found');
    expect(await second).toBe('found');
  });

  it('wait for no other key', () => {
    const { lookUp, started } = openLookups();
    void lookUp('a');
    void lookUp('b');
    expect(started.map(({ key }) => key)).toEqual(['a', 'b']);
  });
});

it('lookups of one script and text are shared on PostgreSQL', async () => {
  const [keys, jobs] = [lookup(() => null), lookup(() => null)];
  const asked: string[] = [];
  const find = lookupsOf(async (_, script, text) => {
    asked.push(`${script === keys ? 'keys' : 'jobs'} ${text}`);
    return `${text} found`;
  });
  const name = { group: 'keysInForce', script: 'verify' };
  const found = await Promise.all([
    ...Array.from({ length: 20 }, () => find(name, keys, 'a')),
    find(name, keys, 'b'),
    find(name, jobs, 'a'),
  ]);
  expect(new Set(found)).toEqual(new Set(['a found', 'b found']));
  expect(asked.toSorted()).toEqual(['jobs a', 'keys a', 'keys a', 'keys b']);
});
