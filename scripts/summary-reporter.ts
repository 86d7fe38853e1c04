import type { Reporter, TestCase, TestModule } from 'vitest/node';

const LONGEST = 10;

/**
 * Ends a test run with what a log is read for: the longest tests, how many passed in each project, what
 * failed, and what passed only the second time.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    console.log(`\nThe longest ${LONGEST} tests:`);
    for (const test of tests.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, LONGEST)) {
      const seconds = secondsOf(test).toFixed(1).padStart(5);
      console.log(`${seconds} s  ${nameOf(test)}`);
    }
    const projects = Map.groupBy(tests, (test) => test.project.name);
    console.log('');
    for (const [name, ofProject] of projects) console.log(`${name}: ${countsOf(ofProject)}`);
    console.log(countsOf(tests));
    for (const test of tests) {
      const verdict = verdictOf(test);
      if (verdict !== null) console.log(`${verdict}: ${nameOf(test)}\n    ${messageOf(test)}`);
    }
  }
}

/** Null for what passed at once, or was skipped. */
function verdictOf(test: TestCase): string | null {
  if (test.result().state === 'failed') return 'failed';
  return test.diagnostic()?.flaky ? 'passed only when tried again' : null;
}

function nameOf(test: TestCase): string {
  return `${test.project.name}: ${test.module.relativeModuleId} > ${test.fullName}`;
}

function messageOf(test: TestCase): string {
  return test.result().errors?.[0]?.message.split('\n')[0] ?? 'no message';
}

function secondsOf(test: TestCase): number {
  return (test.diagnostic()?.duration ?? 0) / 1_000;
}

function countsOf(tests: readonly TestCase[]): string {
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
