import { modelSize } from './model-size.ts';

/** A shorter text keeps its end, which takes no more tokens than to say that it is missing. */
const MIN_CUT_CHARACTERS = 60;
/** Of blanks and signs in a row, more letters than this take a token; nothing is lost if those are cut too. */
const CHARACTERS_PER_TOKEN = 8;
/** The same text once more, with marks that only a browser needs. */
const TWIN = /_html$/;

/**
 * The value with the texts of others cut until it takes at most `budget` tokens, the longest first, and before them
 * what is the same text in HTML; null where that does not suffice.
 * @param wanted names of fields that are cut last
 */
export function cutTexts<T>(value: T, budget: number, wanted: ReadonlySet<string>): T | null {
  if (modelSize(value) <= budget) return value;
  const isTwin = (name: string) => TWIN.test(name) && !wanted.has(name);
  const isOther = (name: string) => !isTwin(name) && !wanted.has(name);
  let left = value;
  for (const isMeant of [isTwin, isOther, () => true]) {
    const cut = longestCut(left, isMeant, budget);
    if (cut !== null) return cut;
    left = cutTo(left, isMeant, 0);
  }
  return null;
}

function longestCut<T>(value: T, isMeant: (name: string) => boolean, budget: number): T | null {
  let fits: T | null = null;
  let most = budget * CHARACTERS_PER_TOKEN;
  for (let least = 0; least <= most; ) {
    const characters = Math.floor((least + most) / 2);
    const cut = cutTo(value, isMeant, characters);
    if (modelSize(cut) <= budget) {
      fits = cut;
      least = characters + 1;
    } else most = characters - 1;
  }
  return fits;
}

function cutTo<T>(value: T, isMeant: (name: string) => boolean, characters: number): T {
  const change = (text: string, name: string) => (isMeant(name) ? cut(text, characters) : text);
  // Texts stay texts, and all else stays as it is.
  return mapTexts(value, change, '') as T;
}

function mapTexts(
  value: unknown,
  change: (text: string, name: string) => string,
  name: string,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, name));
  if (typeof value !== 'object' || value === null) return value;
  if ('untrusted_text' in value && typeof value.untrusted_text === 'string') {
    return { ...value, untrusted_text: change(value.untrusted_text, name) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, mapTexts(child, change, key)]),
  );
}

function cut(text: string, characters: number): string {
  if (text.length <= characters + MIN_CUT_CHARACTERS) return text;
  // Half of a character outside the basic plane is no character.
  const shown = text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${shown.length} of ${text.length} characters)`;
}
