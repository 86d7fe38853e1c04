import type { NextStep } from '../../src/errors/next-step.ts';
import { ERRORS } from '../../src/errors.ts';

/** `next-steps.ts`: the parts of the error table that clients need, without its messages, which the service sends. */
export function generateNextSteps(): string {
  const steps = new Map<string, NextStep>();
  const rows = Object.entries(ERRORS).map(([code, { nextStep, retryable }]) => {
    const key = JSON.stringify(nextStep);
    steps.set(key, nextStep);
    return `  ${code}: [${[...steps.keys()].indexOf(key)}, ${retryable}],\n`;
  });
  const texts = [...steps.keys()].map((key) => `  ${key},\n`);
  return `import type { NextStep } from '../errors/next-step.ts';

/** Each step once. */
export const STEPS: readonly NextStep[] = [\n${texts.join('')}];

/** The index of each code's step, and whether a retry may succeed. */
export const STEP_OF_CODE: Readonly<Record<string, readonly [step: number, retryable: boolean]>> = {
${rows.join('')}};\n`;
}
