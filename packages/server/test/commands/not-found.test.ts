import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { ServiceError } from '../../src/rules/service-error.ts';
import { callerWith, newPerson } from '../support/people.ts';
import { runBeside } from '../support/run-command.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** What a command names that fails. It runs in this process: two dozen of their own take a minute. */
async function missedBy(command: string): Promise<string | undefined> {
  const argv = ['node', 'changgu-server', ...command.split(' '), '--data-dir', server.dataDir];
  const failure = await createProgram()
    .parseAsync(argv)
    .catch((error: unknown) => error);
  if (failure instanceof ServiceError) return failure.details.missing;
  throw failure;
}

it.each([
  ['admin token --email No@example.com', 'operator no@example.com'],
  ['admin remove --email no@example.com', 'operator no@example.com'],
  ['admin approve-env 99', 'request 99'],
  ['admin approve-integrator 99', 'application 99'],
  ['admin subscribe --org 99 --plan STANDARD', 'organization 99'],
  ['admin add-member --org 99 --email no@example.com', 'organization 99'],
  ['admin add-member --org 1 --email no@example.com', 'account no@example.com'],
  ['admin audit --org 99', 'organization 99'],
  ['admin disable user no@example.com', 'account no@example.com'],
  ['admin enable organization 99', 'organization 99'],
  ['admin disable key cli_no', 'key cli_no'],
  ['admin reset-factor --email no@example.com', 'account no@example.com'],
  [
    'admin reset-link --email no@example.com --base-url https://a.example',
    'account no@example.com',
  ],
  ['api-key issue --org 99 --env sandbox', 'organization 99'],
  ['api-key list --org 99', 'organization 99'],
  ['api-key rotate lak_no', 'key lak_no'],
  ['api-key revoke lak_no', 'key lak_no'],
  ['oauth client remove oac_no', 'client oac_no'],
  ['identity-provider unpin no@example.com', 'account no@example.com that logs in at a provider'],
  [
    'identity-provider disallow --org 1 --provider acme --domain a.example',
    'domain a.example allowed in organization 1 at acme',
  ],
])('changgu-server %s names what there is not', async (command, missing) => {
  expect(await missedBy(command)).toBe(missing);
});

it('a command says it in one line', { timeout: 60_000 }, async () => {
  await expect(runBeside(server, 'api-key', 'list', '--org', '99')).rejects.toMatchObject({
    code: 1,
    stderr: 'changgu-server: There is no organization 99.\n',
  });
});

it('changgu-server admin add-member says that an address is not confirmed', async () => {
  const { email } = await newPerson(server);
  const add = `admin add-member --org ${server.organizationId} --email ${email}`;
  expect(await missedBy(add)).toBe(`account ${email} with a confirmed address`);
});

it('an answer of the service does not say what it sought', { timeout: 60_000 }, async () => {
  const own = ['--email', 'asking@example.com'];
  await runBeside(server, 'admin', 'create', ...own);
  const call = callerWith(server, await runBeside(server, 'admin', 'token', ...own));
  const member = { email: 'no@example.com', role: 'MEMBER' };
  const { status, body } = await call('POST', '/v1/admin/organizations/1/members', member);
  expect(status).toBe(404);
  expect(JSON.stringify(body)).not.toMatch(/no@example|account|missing/);
});
