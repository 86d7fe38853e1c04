import {
  type Changgu,
  isChangguError,
  type JobHandle,
  type JobResult,
  type JobValidation,
  type PreparedSubmission,
  type SubmitRequest,
} from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { missingArgument, usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { findAction, SEE_ACTIONS } from '../../input/find-action.ts';
import { InputReader } from '../../input/read-input.ts';
import { type ParamOptions, readParams } from '../../input/read-params.ts';
import { readSecrets } from '../../input/read-secrets.ts';
import { OutputError } from '../../io.ts';
import { fieldsOf, type Prints, type Shape } from '../../output/shape.ts';
import { Unfinished } from '../../unfinished.ts';
import { agree } from './agree.ts';
import { PendingSubmissions, prunePending } from './pending.ts';
import { printResult } from './print-result.ts';
import { resultShape } from './result-layout.ts';
import { sendSubmission } from './send-submission.ts';
import { SUBMITTED } from './shapes.ts';
import { waitForEnd } from './waiting.ts';

export interface SubmitOptions extends ParamOptions {
  readonly secret?: readonly string[] | undefined;
  readonly link?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly wait?: true | undefined;
  readonly validate?: true | undefined;
  readonly resend?: string | undefined;
  readonly sandboxOutcome?: string | undefined;
}

const VALIDATED: Shape = {
  fields: fieldsOf<JobValidation>()([
    'valid',
    'env_scope',
    'provider',
    'action',
    'account_link_id',
    'usage_tokens',
    'remaining_tokens',
  ]),
  columns: ['account_link_id', 'usage_tokens', 'remaining_tokens'],
  id: 'account_link_id',
};

export const submit = writes<[action: string | undefined, options: SubmitOptions]>(
  prints,
  async (cli, action, options) => {
    if (options.resend !== undefined) {
      const pending = await PendingSubmissions.of(cli);
      const stored = await pending.take(options.resend);
      checkStored(cli, stored, action);
      return send(cli, await cli.client(), stored, options);
    }
    const { usage } = cli.texts;
    if (action === undefined)
      throw missingArgument('action', usage.missingArgument('action'), SEE_ACTIONS);
    const request = await readRequest(cli, action, options);
    const client = await cli.client();
    const prepared = await client.jobs.prepare(request, cli.call);
    if (!options.validate) return send(cli, client, prepared, options);
    await cli.output.item(await client.jobs.validate(prepared, cli.call), VALIDATED);
    return;
  },
);

/** @throws usage error where another action was typed than that of the stored submission */
function checkStored({ texts }: Cli, { body }: PreparedSubmission, typed: string | undefined) {
  if (typed === undefined) return;
  const { action } = JSON.parse(body);
  if (typed !== action) throw usageError(texts.jobs.otherAction(String(action)));
}

function prints(
  { output }: Cli,
  action: string | undefined,
  { wait, validate }: SubmitOptions,
): Prints | Promise<Prints> {
  if (validate) return VALIDATED;
  return wait ? resultShape(output, action ?? '') : SUBMITTED;
}

async function readRequest(
  cli: WritingCli,
  action: string,
  options: SubmitOptions,
): Promise<SubmitRequest> {
  const { texts, io } = cli;
  const known = options.check ? await findAction(cli, action) : null;
  const reader = new InputReader(io, texts);
  const params = await readParams(known, options, reader, texts);
  const secrets = await readSecrets(cli, options.secret, reader, known?.encryptedFields ?? null);
  const request = {
    action,
    params,
    secrets,
    accountLinkId: options.link,
    idempotencyKey: options.idempotencyKey,
    sandboxOutcome: options.sandboxOutcome,
  };
  return options.validate ? request : agree(cli, request, known);
}

async function send(
  cli: WritingCli,
  client: Changgu,
  prepared: PreparedSubmission,
  { wait, secret, idempotencyKey, resend }: SubmitOptions,
): Promise<ExitCode | undefined> {
  const isRepeatable = idempotencyKey !== undefined && resend === undefined;
  const keep = isRepeatable && secret !== undefined;
  const job = await sendSubmission(cli, client, prepared, {
    isRepeatable,
    keep,
    wait: wait === true,
  });
  await prunePending(cli);
  const { jobs } = cli.texts;
  const told = job.replayed ? jobs.replayed(job.id) : jobs.submitted(job.id);
  await cli.notes.info(told);
  if (wait) {
    await waitForEnd(cli, job);
    const result = await readResult(cli, job);
    await printed(
      job,
      jobs.resultUnread,
      `changgu jobs result ${job.id}`,
      printResult(cli, result),
    );
    return;
  }
  const next = `changgu jobs result ${job.id} --wait`;
  await printed(job, told, next, printHandle(cli, job));
  if (cli.io.stdout.isTTY) {
    await cli.notes.next(jobs.next, [next]);
  }
  return;
}

/** A result that could not be read is still there; the same command again would submit another job. @throws Unfinished */
async function readResult(cli: Cli, job: JobHandle): Promise<JobResult> {
  try {
    return await job.result(cli.call);
  } catch (error) {
    if (isChangguError(error) && 'job' in error) throw error;
    throw new Unfinished(error, {
      facts: { job_id: job.id },
      notice: cli.texts.jobs.resultUnread,
      commands: [`changgu jobs result ${job.id}`],
    });
  }
}

/** Without its id, the same command again would submit another job. @throws Unfinished */
async function printed(
  { id, idempotencyKey }: JobHandle,
  notice: string,
  command: string,
  printing: Promise<void>,
): Promise<void> {
  await printing.catch((error: unknown) => {
    if (!(error instanceof OutputError)) throw error;
    throw new Unfinished(error, {
      facts: { job_id: id, idempotency_key: idempotencyKey ?? undefined },
      notice,
      commands: [command],
    });
  });
}

async function printHandle({ output }: Cli, job: JobHandle): Promise<void> {
  const { id: jobId, status, action, submittedAt, idempotencyKey, replayed } = job;
  await output.item({ jobId, status, action, submittedAt, idempotencyKey, replayed }, SUBMITTED);
}
