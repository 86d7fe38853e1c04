import type { AllAccountsStep, AllAccountsStepsOptions } from '@changgu/sdk';
import type { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import {
  ALL_ACCOUNTS_CASES,
  type AllAccountsCase,
  PAUSE_SECONDS,
  type ScriptedRound,
} from '../../contract/test/all-accounts-cases.ts';
import { failureOf, fake, HISTORY } from './support/fake.ts';

describe('an all-accounts call', () => {
  it.each(ALL_ACCOUNTS_CASES)('$name', async (given) => {
    const { service, client, clock, run } = fake();
    const rounds = script(service, given);
    const stop = new AbortController();
    if (given.abortAfterSeconds !== undefined) {
      clock.setTimeout(() => stop.abort(), given.abortAfterSeconds * 1000);
    }
    const steps: AllAccountsStep[] = [];
    const work = async () => {
      const request = { action: HISTORY, bankAccountCredentialIds: given.accounts };
      for await (const step of client.jobs.allAccountsSteps(request, optionsOf(given, stop))) {
        steps.push(step);
      }
    };
    const { expected } = given;
    if (expected.stop === 'aborted') {
      expect(await failureOf(run(work()))).toMatchObject({ name: 'AbortError' });
    } else {
      await run(work());
      const end = steps.find((step) => step.type === 'end');
      expect(end?.stop).toBe(expected.stop);
      expect(end?.interruption?.code ?? end?.error?.code ?? null).toBe(expected.code);
    }
    expect(rounds).toEqual(expected.rounds);
    const ended = steps.flatMap((step) => (step.type === 'account' ? [step] : []));
    expect(ended.map((step) => step.bankAccountCredentialId)).toEqual(expected.ended);
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });
});

function optionsOf(
  { deadlineSeconds, whenFull }: AllAccountsCase,
  { signal }: AbortController,
): AllAccountsStepsOptions {
  return {
    signal,
    ...(deadlineSeconds === null ? {} : { timeoutMs: deadlineSeconds * 1000 }),
    ...(whenFull === undefined ? {} : { whenFull }),
    results: false,
  };
}

/** Plays a case in place of the service. @returns the accounts of each round, as they come in */
function script(service: FakeService, given: AllAccountsCase): string[][] {
  const rounds: string[][] = [];
  const submittedAt = new Map<string, number>();
  const readJob = (account: string) => {
    const runMs = (given.jobSeconds?.[account] ?? 5) * 1000;
    const isOver = service.clock.now() >= (submittedAt.get(account) ?? 0) + runMs;
    return { job_id: `job of ${account}`, status: isOver ? 'SUCCEEDED' : 'RUNNING', error: null };
  };
  service.route(({ method, path, text }) => {
    if (method === 'GET') {
      return { status: 200, body: readJob(decodeURIComponent(path).replace(/.* of /, '')) };
    }
    const { bank_account_credential_ids: asked }: { bank_account_credential_ids: string[] } =
      JSON.parse(text);
    const round = given.rounds[rounds.length] ?? given.rounds.at(-1);
    rounds.push(asked);
    if (!round) throw new Error('A case has at least one round.');
    return answerTo(asked, round, (account) => submittedAt.set(account, service.clock.now()));
  });
  return rounds;
}

function answerTo(
  asked: readonly string[],
  round: ScriptedRound,
  submit: (account: string) => void,
) {
  if ('refusedWith' in round) {
    const error = { code: round.refusedWith, message: 'no', retryable: false };
    return { status: 429, body: { error } };
  }
  const { accepts, interruptedBy } = round;
  accepts.forEach(submit);
  const left = asked.filter((account) => !accepts.includes(account));
  const reason = interruptedBy ? 'interrupted' : 'over_concurrency_limit';
  const next = {
    retry_after_seconds: PAUSE_SECONDS,
    bank_account_credential_ids: left,
    message: 'later',
  };
  return {
    status: accepts.length > 0 ? 202 : 200,
    body: {
      accounts: asked.map((account) => ({
        account_link_id: 'link',
        bank_account_credential_id: account,
        masked_account_no: '1*1',
        ...(accepts.includes(account)
          ? { job_id: `job of ${account}`, status: 'QUEUED', reason: null }
          : { job_id: null, status: 'NOT_SUBMITTED', reason }),
      })),
      next: left.length > 0 ? next : null,
      ...(interruptedBy
        ? { interruption: { code: interruptedBy, message: 'stopped', reason: null } }
        : {}),
    },
  };
}
