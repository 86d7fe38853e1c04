import { TURNS } from './visible-text.ts';

/**
 * One word of a shell's command. Names and values of params are free: whoever submitted a job must not type into the
 * terminal of who repeats it, nor show another command than the one that runs.
 */
export function shellText(text: string): string {
  if (/^\w[\w.,:@/+=-]*$/.test(text)) return text;
  // A terminal takes a control character that is pasted for a key.
  const inert = text
    .replaceAll("'", `'\\''`)
    .replaceAll(/[^\P{Cc}\n]/gu, printed)
    .replaceAll(TURNS, printed);
  return `'${inert}'`;
}

function printed(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  const octal = bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return `'"$(printf '${octal}')"'`;
}
