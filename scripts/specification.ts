/** What the pages of docs/specification say, for the tests of the repository. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const PAGES = 'docs/specification';
const ANCHOR = /<a id="([drt]\d+)"><\/a>/g;
const PLANNED = /^### (D\d+) .*planned\)$/gm;
const REPLACED = /^### (D\d+) .*replaced\)$/gm;

export interface Specification {
  /** Page to the anchors on it, in lower case: `submission.md` → `d19`, `r1`, … */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every decision and rule: `D01`, `R1`, … */
  readonly numbers: ReadonlySet<string>;
  /** Decisions that are not built yet: no test names them. */
  readonly planned: ReadonlySet<string>;
  /** Decisions that another one replaces. */
  readonly replaced: ReadonlySet<string>;
}

export function readSpecification(): Specification {
  const anchors = new Map<string, Set<string>>();
  const numbers = new Set<string>();
  const planned = new Set<string>();
  const replaced = new Set<string>();
  for (const page of globSync('*.md', { cwd: join(root, PAGES) })) {
    const text = readFileSync(join(root, PAGES, page), 'utf8');
    const ids = Array.from(text.matchAll(ANCHOR), (match) => match[1] ?? '');
    anchors.set(page, new Set(ids));
    for (const id of ids) if (!id.startsWith('t')) numbers.add(id.toUpperCase());
    for (const match of text.matchAll(PLANNED)) planned.add(match[1] ?? '');
    for (const match of text.matchAll(REPLACED)) replaced.add(match[1] ?? '');
  }
  return { anchors, numbers, planned, replaced };
}

const TEXTS = '{packages,examples,bench,scripts,docs,.changeset}/**/*.{ts,mts,js,mjs,md}';

/** Every source and page of the repository that people write, as paths from its root. */
export function writtenFiles(): string[] {
  return [TEXTS, '*.md', '*.ts']
    .flatMap((pattern) =>
      globSync(pattern, {
        cwd: root,
        exclude: (path) => /(^|\/)(node_modules|dist|generated)$/.test(path),
      }),
    )
    .filter((path) => !path.includes('/dist/') && !path.includes('node_modules'))
    .sort();
}
