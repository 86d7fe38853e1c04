const FORBIDDEN_RUNS = new Set([
  'password',
  'passwd',
  'secret',
  'apikey',
  'accesstoken',
  'privatekey',
  'ssn',
  'jumin',
]);
const FORBIDDEN_PARTS = /password|secret|jumin/;
const SEPARATORS = /[\s_.\-\d]+/g;
/** Only a name with these letters in a row can have such words: most names are not split at all. */
const RUN_LETTERS = new RegExp([...FORBIDDEN_RUNS].join('|'));
/** The maximum number of words in one forbidden name. */
const MAX_RUN = 2;

/**
 * Names that indicate a secret. Words are compared, not substrings, because `ssn` is part of `businessNo`.
 */
export function isSensitiveName(name: string): boolean {
  const lower = name.toLowerCase();
  if (FORBIDDEN_PARTS.test(lower)) return true;
  if (!RUN_LETTERS.test(lower.replace(SEPARATORS, ''))) return false;
  const words = wordsOf(name);
  return words.some((_, start) => {
    for (let length = 1; length <= MAX_RUN; length += 1) {
      if (FORBIDDEN_RUNS.has(words.slice(start, start + length).join(''))) return true;
    }
    return false;
  });
}

/** Splits at `_`, `.`, `-`, digits, spaces and camelCase: `userAPIKey2` → user, api, key. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '');
}
