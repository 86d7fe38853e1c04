import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './specification.ts';

const folder = join(root, 'docs/adr');
const records = globSync('0*.md', { cwd: folder }).sort();
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

it.each(records)(
  '%s says its status, date, context, decision, consequences and what was rejected',
  (file) => {
    expect(read(file)).toMatch(
      /^# .+\n\n- Status: .+\n- Date: \d{4}-\d\d-\d\d.*\n\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequences\n[\s\S]+\n## Rejected\n[\s\S]+/,
    );
  },
);

it('numbers the records without a gap', () => {
  expect(records.map((file) => Number(file.slice(0, 4)))).toEqual(
    records.map((_, index) => index + 1),
  );
});

it('lists every record under its title', () => {
  const listed = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('- ['));
  const expected = records.map((file) => {
    const title = read(file).split('\n', 1)[0]?.slice(2);
    return `- [${file.slice(0, 4)} ${title}](${file})`;
  });
  expect(listed).toEqual(expected);
});
