import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A page of the documentation, by its path from the root. */
export const pageText = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** The fenced blocks of some languages, in order; '' are those of none. */
export function blocks(text: string, ...languages: readonly string[]): readonly string[] {
  const fences = text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms);
  return [...fences]
    .filter((match) => languages.includes(match[1] ?? ''))
    .map((match) => match[2] ?? '');
}

/** What pages show of a program: the commands in shell blocks and those written inline, without comments. */
export function commandsOf(text: string, program: string): readonly string[] {
  const lines = blocks(text, 'sh', 'bash', '').flatMap((block) =>
    block.replaceAll('\\\n', ' ').split(/\n|&&|;/),
  );
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const call = new RegExp(`^(?:\\$ +)?(?:[A-Z_]+=\\S+ +)*(?:npx )?${program} +(.*?)(?: +#.*)?$`);
  return [...lines, ...inline].flatMap((line) => call.exec(line.trim())?.[1] ?? []);
}

/** The anchors of a page: those that GitHub gives its headings, and those written out. */
export function anchors(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const seen = new Map<string, number>();
  const headings = Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  const written = Array.from(prose.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id);
  return [...headings, ...written];
}

/** Links to places in the repository: path and, where there is one, anchor. */
export function links(text: string): readonly { readonly path: string; readonly anchor: string }[] {
  const targets = text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s]+)\)/g);
  return [...targets]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#', 2);
      return { path, anchor };
    });
}
