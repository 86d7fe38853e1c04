import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { ConfigFile } from './config-file.ts';
import type { Profile } from './profile.ts';

const HEADER = /^\s*\[/;
const ASSIGNMENT =
  /^(?<start>\s*(?<key>[\w-]+)\s*=\s*)(?<written>"(?:[^"\\]|\\.)*"|'[^']*')(?<end>\s*(?:#.*)?)$/;

/**
 * The text of config.toml with other values, in which a person's comments and order stay. The parser has the last
 * word: what it does not read as this configuration, as with tables within a line, is written anew.
 */
export function editConfig(text: string, config: ConfigFile): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  try {
    const edited = editLines(text.split(/\r?\n/), config).join(eol);
    if (reads(edited, config)) return edited;
  } catch {
    // Lines that only look like assignments, in a string of several lines.
  }
  return `${stringify(config)}\n`;
}

function reads(text: string, config: ConfigFile): boolean {
  // The parser's objects have another prototype.
  const table: unknown = structuredClone(parse(text));
  return isDeepStrictEqual(Object.assign({ profiles: {} }, table), structuredClone(config));
}

/** Lines of the file that belong to one table, its header first. */
interface Section {
  /** Null for the part above the first table. */
  readonly name: string | null;
  readonly lines: string[];
}

function editLines(lines: readonly string[], { profile, profiles }: ConfigFile): string[] {
  const sections = sectionsOf(lines);
  const there = sections.flatMap(({ name }) => (name === null ? [] : [name]));
  const gone = there.filter((name) => !Object.hasOwn(profiles, name));
  const added = Object.entries(profiles).filter(([name]) => !there.includes(name));
  const edited = sections.flatMap((section) => {
    if (section.name === null) return setValues(section, profile === undefined ? {} : { profile });
    const values = profiles[section.name];
    if (values) return setValues(section, values);
    // One that goes while another comes was renamed.
    const [renamed] = gone.length === 1 && added.length === 1 ? added.splice(0) : [];
    return renamed ? setValues(withHeader(section, renamed[0]), renamed[1]) : withoutTable(section);
  });
  if (added.length === 0) return edited;
  while (edited.at(-1)?.trim() === '') edited.pop();
  const tables = stringify({ profiles: Object.fromEntries(added) }).trimEnd();
  return [...edited, ...(edited.length === 0 ? [] : ['']), ...tables.split('\n'), ''];
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [{ name: null, lines: [] }];
  for (const line of lines) {
    if (HEADER.test(line)) sections.push({ name: profileIn(line), lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function profileIn(header: string): string | null {
  return /^\s*\[\s*profiles\s*\.\s*"?([\w-]+)"?\s*\]/.exec(header)?.[1] ?? null;
}

function withHeader({ lines: [header = '', ...lines] }: Section, name: string): Section {
  return { name, lines: [header.replace(/\[.*?\]/, `[profiles.${name}]`), ...lines] };
}

/** What a person wrote below the last value may be about the next table. */
function withoutTable({ lines }: Section): string[] {
  const end = lines.findLastIndex((line, index) => index === 0 || ASSIGNMENT.test(line));
  return lines.slice(end + 1);
}

function setValues({ lines }: Section, values: Profile | { readonly profile?: string }): string[] {
  const left = new Map(Object.entries(values));
  const edited = lines.flatMap((line) => {
    const { start, key = '', written, end } = ASSIGNMENT.exec(line)?.groups ?? {};
    if (start === undefined) return [line];
    const value = left.get(key);
    left.delete(key);
    if (value === undefined) return [];
    const isSame = parse(`value = ${written}`).value === value;
    return [isSame ? line : `${start}${tomlString(value)}${end}`];
  });
  const last = edited.findLastIndex((line) => ASSIGNMENT.test(line) || HEADER.test(line));
  const added = [...left].map(([key, value]) => `${key} = ${tomlString(value)}`);
  return edited.toSpliced(last + 1, 0, ...added);
}

function tomlString(value: string): string {
  return stringify({ value }).trim().slice('value = '.length);
}
