import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { invoiceNumber } from './invoice-number.ts';

it('has the Korean month and six random characters (D114)', () => {
  const lastMoment = Date.parse('2026-11-30T14:59:59.999Z');
  expect(invoiceNumber(lastMoment, randomInt)).toMatch(/^INV-202611-[0-9A-Z]{6}$/);
  expect(invoiceNumber(lastMoment + 1, randomInt)).toMatch(/^INV-202612-[0-9A-Z]{6}$/);
  const numbers = Array.from({ length: 200 }, () => invoiceNumber(lastMoment, randomInt));
  expect(new Set(numbers).size).toBe(200);
});
