import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');
const LONGEST = 10;
/** Read by the check, which runs these files once more. */
const FAILED = join(ROOT, 'node_modules', '.cache', 'failed-test-files');

/**
 * Ends a test run with what a log is read for: the longest tests, how many passed in each project, what
 * failed, its set-up included, and what passed only the second time.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly Pick<SerializedError, 'message'>[],
  ): void {
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
    for (const error of unhandled) console.log(`unhandled error:\n    ${firstLine(error)}`);
    for (const module of modules) printUnready(module);
    const failed = modules.filter((module) => !module.ok());
    if (unhandled.length === 0 && failed.length > 0) leaveForTheCheck(failed);
  }
}

/** Names a file that could not be loaded, or in which something before or after the tests failed. */
function printUnready(module: TestModule): void {
  const groups: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  const errors = groups.flatMap((group) => group.errors());
  for (const error of errors) {
    const file = `${module.project.name}: ${module.relativeModuleId}`;
    console.log(`failed before or after its tests: ${file}\n    ${firstLine(error)}`);
  }
}

function leaveForTheCheck(modules: readonly TestModule[]): void {
  mkdirSync(dirname(FAILED), { recursive: true });
  writeFileSync(FAILED, modules.map(({ moduleId }) => relative(ROOT, moduleId)).join('\n'));
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
  const error = test.result().errors?.[0];
  return error === undefined ? 'no message' : firstLine(error);
}

function firstLine({ message }: Pick<SerializedError, 'message'>): string {
  return message.split('\n')[0] ?? '';
}

function secondsOf(test: TestCase): number {
  return (test.diagnostic()?.duration ?? 0) / 1_000;
}

function countsOf(tests: readonly TestCase[]): string {
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
