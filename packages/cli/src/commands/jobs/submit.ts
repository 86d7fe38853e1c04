import type { Changgu, JobHandle, PreparedSubmission, SubmitRequest } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { findAction } from '../../input/find-action.ts';
import { InputReader } from '../../input/read-input.ts';
import { type ParamOptions, readParams } from '../../input/read-params.ts';
import { readSecrets } from '../../input/read-secrets.ts';
import { keepUntilAnswered, takePending } from './pending.ts';
import { printResult } from './print-result.ts';
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

export async function submit(
  cli: Cli,
  action: string | undefined,
  options: SubmitOptions,
): Promise<ExitCode | undefined> {
  if (options.resend !== undefined) {
    const prepared = await takePending(cli, options.resend);
    return send(cli, await cli.client(), prepared, options);
  }
  if (action === undefined)
    throw usageError(cli.texts.usage.missingArgument('action'), cli.texts.input.seeActions);
  const request = await readRequest(cli, action, options);
  if (cli.globals.dryRun) return showRequest(cli, request);

  const client = await cli.client();
  const prepared = await client.jobs.prepare(request);
  if (options.validate) {
    const answer = await client.jobs.validate(prepared, cli.call);
    await cli.output.item(answer, {
      columns: ['account_link_id', 'usage_tokens'],
      id: 'account_link_id',
    });
    return;
  }
  return send(cli, client, prepared, options);
}

async function readRequest(
  cli: Cli,
  action: string,
  options: SubmitOptions,
): Promise<SubmitRequest> {
  const { texts, io } = cli;
  const known = options.check ? await findAction(cli, action) : null;
  const reader = new InputReader(io, texts);
  const params = await readParams(known, options, reader, texts);
  const secrets = await readSecrets(known, options.secret, reader, cli, texts);
  return {
    action,
    params,
    secrets,
    accountLinkId: options.link,
    idempotencyKey: options.idempotencyKey,
    sandboxOutcome: options.sandboxOutcome,
  };
}

async function send(
  cli: Cli,
  client: Changgu,
  prepared: PreparedSubmission,
  { wait }: Pick<SubmitOptions, 'wait'>,
): Promise<ExitCode | undefined> {
  const job = await keepUntilAnswered(cli, prepared, () => client.jobs.submit(prepared, cli.call));
  const { jobs } = cli.texts;
  await cli.notes.info(job.replayed ? jobs.replayed(job.id) : jobs.submitted(job.id));
  if (wait) {
    await waitForEnd(cli, job);
    await printResult(cli, await job.result(cli.call));
    return;
  }
  await printHandle(cli, job);
  if (cli.io.stdout.isTTY) {
    await cli.notes.next(jobs.readResult, [`changgu jobs result ${job.id} --wait`]);
  }
}

async function printHandle({ output }: Cli, job: JobHandle): Promise<void> {
  const { id: jobId, status, action, submittedAt, idempotencyKey, replayed } = job;
  await output.item({ jobId, status, action, submittedAt, idempotencyKey, replayed }, SUBMITTED);
}

/** The request as it would be sent, without secrets: their names and how long they are. */
async function showRequest(cli: Cli, request: SubmitRequest): Promise<undefined> {
  const { action, params, secrets = {}, accountLinkId, idempotencyKey } = request;
  const { baseUrl, envScope } = await cli.settings();
  const sizes = Object.entries(secrets).map(([name, value]) => [
    name,
    `<${Buffer.byteLength(String(value))} bytes, encrypted>`,
  ]);
  await cli.output.document({
    method: 'POST',
    url: `${baseUrl?.value ?? ''}/v1/jobs`,
    headers: {
      'x-env-scope': envScope.value,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: {
      provider: action.split('.', 1)[0],
      action,
      ...(accountLinkId === undefined ? {} : { account_link_id: accountLinkId }),
      params,
      ...(sizes.length === 0 ? {} : { encrypted_fields: Object.fromEntries(sizes) }),
    },
  });
  await cli.notes.info(cli.texts.jobs.dryRun);
}
