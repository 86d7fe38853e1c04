import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSpecification, root, writtenFiles } from './specification.ts';

const { anchors, numbers } = readSpecification();
const texts = writtenFiles().map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const pages = texts.filter(({ file }) => file.endsWith('.md'));

function commentsOf(source: string): string {
  const lines = source.split('\n').map((line) => /(?:^|\s)(?:\/\/|\/\*|\*)(.*)$/.exec(line)?.[1]);
  return lines.filter((line) => line !== undefined).join('\n');
}

/** `docs/specification/submission.md#d19`; links between pages are checked with all other links. */
function anchorsCitedIn(text: string): string[] {
  return text.match(/(?<=docs\/specification\/)[a-z-]+\.md#[a-z0-9-]+/g) ?? [];
}

describe('references to the specification', () => {
  it('leads every cited anchor to a decision or a rule', () => {
    const dead = texts.flatMap((entry) =>
      anchorsCitedIn(entry.text)
        .filter((cited) => {
          const [page = '', id = ''] = cited.split('#');
          return !anchors.get(page)?.has(id);
        })
        .map((cited) => `${entry.file}: ${cited}`),
    );
    expect(dead).toEqual([]);
  });

  it('knows every number that a comment or a page cites', () => {
    const unknown = texts.flatMap(({ file, text }) => {
      const prose = file.endsWith('.md') ? text : commentsOf(text);
      const cited = prose.match(/(?<![\w-])[RD]\d{1,3}\b(?!-)/g) ?? [];
      return cited.filter((number) => !numbers.has(number)).map((number) => `${file}: ${number}`);
    });
    expect(unknown).toEqual([]);
  });

  it('cites numbers and sections instead of lines of a document', () => {
    const citing = pages.filter(({ text }) =>
      /\.\.\/shared|\bservice\.md|(?<![\w-])L\d{2,3}\b|specification's line/.test(text),
    );
    expect(citing.map(({ file }) => file)).toEqual([]);
  });
});
