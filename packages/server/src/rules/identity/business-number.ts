const SHAPE = /^\d{3}-?\d{2}-?\d{5}$/;
const WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5];

/** The ten digits of a business registration number; null when format or check digit is wrong. */
export function toBusinessNumber(text: string): string | null {
  if (!SHAPE.test(text)) return null;
  const digits = text.replaceAll('-', '');
  const weighted = WEIGHTS.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
  // The ninth digit counts a second time, with the tens of its product.
  const sum = weighted + Math.floor((Number(digits[8]) * 5) / 10);
  return (10 - (sum % 10)) % 10 === Number(digits[9]) ? digits : null;
}
