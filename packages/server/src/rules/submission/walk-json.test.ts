import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathTo, walkJson } from './walk-json.ts';

describe('a walk through a body', () => {
  it('visits every value once, with its path and depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (root) => {
        const visited: string[] = [];
        walkJson(root, (value, key, within) => {
          const path = pathTo(key, within);
          expect(path).toHaveLength(within.depth);
          const found = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), root);
          expect(found).toBe(value);
          visited.push(JSON.stringify(path));
        });
        expect(new Set(visited).size).toBe(visited.length);
        let values = -1;
        JSON.stringify(root, (_key, value) => {
          values += 1;
          return value;
        });
        expect(visited).toHaveLength(values);
      }),
    );
  });

  it('handles a body of any depth', () => {
    let deepest = 0;
    const root = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    walkJson(root, (_value, _key, { depth }) => {
      deepest = Math.max(deepest, depth);
    });
    expect(deepest).toBe(199_999);
  });
});
