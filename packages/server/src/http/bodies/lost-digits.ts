/** Where a number of so many characters, or with an exponent, may stand. Ids, dates and base64 are passed over. */
const LONG_NUMBER = /[:,[\s]-?(?:[\d.]{17,}|[\d.]+[eE])/;

/** As many as `toExponential` writes. */
const MAX_DIGITS = 101;

/** Up to 15 digits come back from a double as they went in, so most bodies need no second look. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/** The body with NaN for every number that parsing changes: what it stands for has other digits than were sent. */
export function parseMarkingLoss(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !keepsDigits(value, context?.source ?? '') ? Number.NaN : value,
  );
}

/** 0.10000000000000001 is how some write the double of 0.1, and of nothing else with so many digits. */
function keepsDigits(value: number, source: string): boolean {
  const sent = digitsOf(source);
  if (sent === '') return true;
  return sent.length <= MAX_DIGITS && digitsOf(value.toExponential(sent.length - 1)) === sent;
}

/** Without sign, point, exponent and the zeros in front. */
function digitsOf(number: string): string {
  const [mantissa = ''] = number.split(/e/i, 1);
  return mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '');
}
