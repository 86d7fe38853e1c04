import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Changgu, type Delivery } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliProgram } from '../../scripts/programs.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';

const RECEIVER = join(import.meta.dirname, '..', 'webhooks', 'receiver.ts');

// What was started is stopped, also where a later start fails.
const started = new AsyncDisposableStack();
let server: DevServer;
let client: Changgu;
let person: Changgu;
let webhookId: string;
let receiver: Receiver;

beforeAll(async () => {
  server = await startDevServer('sandbox');
  started.defer(() => server.stop());
  const {
    CHANGGU_BASE_URL: baseUrl = '',
    CHANGGU_CLIENT_ID: clientId = '',
    CHANGGU_CLIENT_SECRET: clientSecret = '',
    EXAMPLE_EMAIL: email = '',
    EXAMPLE_PASSWORD: password = '',
  } = server.environment;
  const anyone = started.use(new Changgu({ baseUrl, envScope: 'sandbox' }));
  client = anyone.with({ clientId, clientSecret });
  const { accessToken } = await anyone.account.login({ email, password });
  person = anyone.with({ token: accessToken });
  const created = await person.webhooks.create({
    url: 'http://127.0.0.1:1/hook',
    eventTypes: ['job.finished'],
    envScope: 'sandbox',
  });
  webhookId = created.webhookId;
  receiver = await startReceiver({
    WEBHOOK_SECRET: created.secret,
    INBOX: join(server.dataDir, 'inbox.db'),
    PORT: '0',
  });
  started.defer(() => receiver.stop());
  await person.webhooks.update(webhookId, { url: receiver.url });
});
afterAll(() => started.disposeAsync());

interface Receiver {
  readonly url: string;
  /** The next line that it prints. */
  line(): Promise<string>;
  stop(): Promise<void>;
}

async function startReceiver(settings: Readonly<Record<string, string>>): Promise<Receiver> {
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@changgu/source', RECEIVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...settings },
  });
  if (child.stdout === null) throw new Error('its output is piped');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  return {
    url: (await line()).replace('listening at ', ''),
    line,
    async stop() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

/** The last delivery, once it is one of this kind that the receiver has taken. */
async function answered(kind: Delivery['kind']): Promise<Delivery> {
  const last = async () => (await person.webhooks.deliveries(webhookId)).items[0];
  await expect.poll(last, { timeout: 10_000 }).toMatchObject({ kind, status: 'SUCCEEDED' });
  const delivery = await last();
  if (delivery === undefined) throw new Error('a delivery stays in the log');
  return delivery;
}

describe('the webhook receiver', () => {
  it('is told that a job finished, and works once when the event is repeated (D123)', async () => {
    const first = await client.jobs.submit({ action: 'bank_a.accounts.list' });
    await first.wait();
    const told = await receiver.line();
    expect(told).toMatch(new RegExp(`^job\\.finished ${first.id} evt_`));

    const { eventId, deliveryId } = await answered('event');
    expect(told).toContain(eventId);
    await person.webhooks.replayDelivery(webhookId, deliveryId);
    expect(await answered('replay')).toMatchObject({ eventId, responseStatus: 204 });
    const second = await client.jobs.submit({ action: 'bank_a.accounts.list' });
    await second.wait();
    expect(await receiver.line()).toContain(second.id);
  });

  it('does not start without a secret, and says what to set', async () => {
    const args = ['--conditions=@changgu/source', RECEIVER];
    const env = { ...process.env, WEBHOOK_SECRET: '', INBOX: join(server.dataDir, 'none.db') };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    const exit = once(child, 'exit');
    expect(await text(child.stderr)).toContain('Set WEBHOOK_SECRET');
    expect(await exit).toEqual([2, null]);
  });

  it('refuses a forged message with 401', async () => {
    const forged = await fetch(receiver.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'evt_00000000000000000000000000',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
      body: '{}',
    });
    expect(forged.status).toBe(401);
    expect(await forged.json()).toEqual({ error: 'signature' });
  });

  it('gets events without an endpoint while someone listens for it', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const local = await startReceiver({
      WEBHOOK_SECRET: secret,
      INBOX: join(server.dataDir, 'local.db'),
      PORT: '0',
    });
    started.defer(() => local.stop());
    const argv = ['webhooks', 'listen', '--forward', local.url, '--type', 'job.finished', '--json'];
    const listening = spawn(process.execPath, [...cliProgram(), ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...server.environment, CHANGGU_WEBHOOK_SECRET: secret },
    });
    const exit = once(listening, 'exit');
    const lines = createInterface({ input: listening.stdout })[Symbol.asyncIterator]();
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ secret });
    const job = await client.jobs.submit({ action: 'bank_a.accounts.list' });
    expect(await local.line()).toContain(job.id);
    const forwarded = JSON.parse(String((await lines.next()).value));
    expect(forwarded).toMatchObject({ event_type: 'job.finished', response_status: 204 });
    const report = text(listening.stderr);
    listening.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    expect(JSON.parse(await report).error).toMatchObject({ code: 'INTERRUPTED' });
  });
});
