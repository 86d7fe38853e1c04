const WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5];

function checkDigit(firstNine: string): number {
  let sum = Math.floor((Number(firstNine[8]) * 5) / 10);
  WEIGHTS.forEach((weight, index) => {
    sum += weight * Number(firstNine[index]);
  });
  return (10 - (sum % 10)) % 10;
}

/** Ten digits whose last one is the right check digit. */
export function isBusinessNumber(text: string): boolean {
  return /^\d{10}$/.test(text) && checkDigit(text.slice(0, 9)) === Number(text[9]);
}

/** A valid number of no real tax office (999) with the given last four digits. */
export function businessNumberEndingIn(lastFour: string, kindDigits = '81'): string {
  for (let digit = 0; digit <= 9; digit += 1) {
    const candidate = `999${kindDigits}${digit}${lastFour}`;
    if (isBusinessNumber(candidate)) return candidate;
  }
  throw new Error(`no business number ends in ${lastFour}`);
}

export function hyphenateBusinessNumber(number: string): string {
  return `${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`;
}
