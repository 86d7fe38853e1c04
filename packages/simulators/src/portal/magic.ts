/** The last four digits that make a portal misbehave. */
export const MAGIC_ENDINGS = [
  '0200',
  '0401',
  '0402',
  '0409',
  '0423',
  '0440',
  '0503',
  '0504',
  '0520',
  '0999',
] as const;

export type MagicEnding = (typeof MAGIC_ENDINGS)[number];

/** The magic ending of an account number, login id or business number; null for ordinary ones. */
export function magicEndingOf(identifier: string): MagicEnding | null {
  const lastFour = identifier.slice(-4);
  return MAGIC_ENDINGS.find((ending) => ending === lastFour) ?? null;
}
