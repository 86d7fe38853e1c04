import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownTable } from './markdown.ts';

const INDEX = /(<!-- index: .* -->\n)[\s\S]*(<!-- end of index -->)/;
const DECISION = /^<a id="d\d+"><\/a>\n### (?<number>D\d+) · (?<title>.*) \(.*\)$/gm;
const RULE = /^- <a id="r\d+"><\/a>\*\*(?<number>R\d+)\*\*/gm;

interface Entry {
  readonly number: string;
  readonly title: string;
  readonly page: string;
}

function entriesOf(page: string, text: string, pattern: RegExp): Entry[] {
  return Array.from(text.matchAll(pattern), ({ groups: { number = '', title = '' } = {} }) => ({
    number,
    title,
    page,
  }));
}

const byNumber = (a: Entry, b: Entry) => Number(a.number.slice(1)) - Number(b.number.slice(1));
const linkTo = ({ number, page }: Entry) => `[${number}](${page}#${number.toLowerCase()})`;

/** `docs/specification/README.md` with an index of every decision and rule on the other pages. */
export function generateSpecificationIndex(root: URL): string {
  const folder = fileURLToPath(new URL('docs/specification/', root));
  const decisions: Entry[] = [];
  const rules: Entry[] = [];
  for (const page of globSync('*.md', { cwd: folder }).filter((name) => name !== 'README.md')) {
    const text = readFileSync(`${folder}${page}`, 'utf8');
    decisions.push(...entriesOf(basename(page), text, DECISION));
    rules.push(...entriesOf(basename(page), text, RULE));
  }
  const decisionTable = markdownTable(
    ['Decision', 'Subject', 'Page'],
    decisions.sort(byNumber).map((entry) => [linkTo(entry), entry.title, entry.page]),
  );
  rules.sort(byNumber);
  const tens = Array.from({ length: Math.ceil(rules.length / 10) }, (_, row) =>
    rules.slice(row * 10, row * 10 + 10),
  );
  const ruleTable = markdownTable(
    ['Rules', 'Pages'],
    tens.map((row) => [`${row[0]?.number}–${row.at(-1)?.number}`, row.map(linkTo).join(' ')]),
  );
  return readFileSync(`${folder}README.md`, 'utf8').replace(
    INDEX,
    (_, start: string, end: string) => `${start}\n${decisionTable}\n${ruleTable}\n${end}`,
  );
}
