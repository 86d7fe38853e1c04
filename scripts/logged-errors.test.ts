import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './specification.ts';

const CALL = /\blog(ger)?\.(fatal|error|warn|info|debug|trace)\(/g;
/** Our texts say what failed; only the fault of an error is free of what the error says. */
const HARMLESS = /'[^']*'|faultOf\((\w+|error\.\w+)\)/g;
const ERROR = /\b(err|error|failure|exception|thrown|reason)\b|\$\{|\.(message|stack)\b/;

const files = globSync('packages/{server,simulators}/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
);

/** The arguments of every call of a logger. */
function logged(text: string): string[] {
  return Array.from(text.matchAll(CALL), ({ index, 0: call }) => {
    const begin = index + call.length;
    let end = begin;
    for (let open = 1; open > 0; end++) {
      if (text[end] === '(') open++;
      if (text[end] === ')') open--;
    }
    return text.slice(begin, end - 1);
  });
}

function revealing(text: string): string[] {
  return logged(text).filter((args) => ERROR.test(args.replaceAll(HARMLESS, '')));
}

it('logs class, code and frames of an error, never the error itself: it may contain a password (D64)', () => {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  expect(texts.flatMap(logged).length).toBeGreaterThan(20);
  expect(texts.flatMap(revealing)).toEqual([]);
});

it.each([
  "logger.error({ err: error }, 'it failed')",
  'log.warn(error)',
  "this.log.error({ id, text: error.message }, 'it failed')",
  "logger.info('it failed: ' + failure)",
])('finds %s', (call) => {
  expect(revealing(call)).toHaveLength(1);
});

it("passes log.error({ fault: faultOf(error) }, 'an error')", () => {
  expect(revealing("log.error({ fault: faultOf(error) }, 'an error')")).toEqual([]);
});
