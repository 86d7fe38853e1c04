import type { NextStep } from '../../src/errors/next-step.ts';
import { ERRORS } from '../../src/errors.ts';

/** `next-steps.ts`: the parts of the error table that clients need, without its messages, which the service sends. */
export function generateNextSteps(): string {
  const codesOf = new Map<string, { step: NextStep; final: string[]; retryable: string[] }>();
  for (const [code, { nextStep: step, retryable }] of Object.entries(ERRORS)) {
    const key = JSON.stringify(step);
    const codes = codesOf.get(key) ?? { step, final: [], retryable: [] };
    codes[retryable ? 'retryable' : 'final'].push(code);
    codesOf.set(key, codes);
  }
  const rows = [...codesOf.values()].map(({ step: { kind, ko, en }, final, retryable }) => {
    const codes = [final, retryable].slice(0, retryable.length > 0 ? 2 : 1);
    const row = [kind, ko, en, ...codes.map((names) => names.join(' '))];
    return `  ${JSON.stringify(row)},\n`;
  });
  return `import type { NextStepKind } from '../errors/next-step.ts';

/** A step and its codes, separated by spaces: those that are final, and those that a retry may resolve. */
type StepRow = readonly [kind: NextStepKind, ko: string, en: string, final: string, retryable?: string];

/** Each step once, and each code. Codes are text, not properties: importing them costs a program less. */
export const STEPS: readonly StepRow[] = [\n${rows.join('')}];\n`;
}
