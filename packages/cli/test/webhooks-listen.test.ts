import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@changgu/sdk/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answering,
  startReceiver,
  type WebhookReceiver,
} from '../../server/test/support/webhook-receiver.ts';
import type { RunOptions } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
let receiver: WebhookReceiver;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(() => service[Symbol.asyncDispose]());

interface Listening {
  /** Resolves with the lines of stdout, once there are so many. */
  lines(count: number): Promise<string[]>;
  /** As Ctrl-C does. */
  stop(): ReturnType<Service['home']['run']>;
}

/** Resolves when it listens. */
async function listen(argv: readonly string[] = [], options: RunOptions = {}): Promise<Listening> {
  const opened = Promise.withResolvers<void>();
  const lines: string[] = [];
  let looks: (() => void)[] = [];
  let interrupt = () => {};
  const ran = service.home.run(
    ['webhooks', 'listen', '--forward', receiver.url, ...argv, '--lang', 'en'],
    {
      ...options,
      onStdout: (text) => {
        lines.push(...text.trimEnd().split('\n'));
        opened.resolve();
        for (const look of looks) look();
      },
      onStderr: (text, signal) => {
        options.onStderr?.(text, signal);
        if (text.includes('Forwarding')) opened.resolve();
      },
      onSignal: (signal) => {
        interrupt = () => signal('SIGINT');
      },
    },
  );
  await Promise.race([opened.promise, ran]);
  return {
    lines: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (lines.length < count) return;
          looks = looks.filter((each) => each !== look);
          resolve(lines.slice(0, count));
        };
        looks.push(look);
        look();
      }),
    stop() {
      interrupt();
      return ran;
    },
  };
}

const run = (...argv: string[]) => service.home.run([...argv, '--lang', 'en']);
const runJob = () => run('jobs', 'submit', 'bank_a.accounts.list', '--wait');

describe('webhooks listen', () => {
  it('sends each event as the service would, tells what became of it, and ends with Ctrl-C', async () => {
    const listening = await listen(['--type', 'job.queued,job.finished', '--json']);
    await runJob();
    const [first = '', ...rest] = await listening.lines(3);
    const { forward, secret, public_key } = JSON.parse(first);
    expect(forward).toBe(receiver.url);
    expect(rest.map((line) => JSON.parse(line))).toMatchObject([
      { event_type: 'job.queued', status: 'SUCCEEDED', response_status: 204, error: null },
      { event_type: 'job.finished', status: 'SUCCEEDED' },
    ]);
    for (const { body, headers, id } of receiver.messages) {
      for (const key of [secret, public_key]) {
        const event = await verifyWebhook(body, headers, key);
        expect(event.eventId).toBe(id);
      }
    }
    const { items } = (await service.server.call('GET', '/v1/events?type=job.finished')).body;
    expect(JSON.parse(receiver.messages[1]?.body ?? '')).toEqual(items.at(-1));
    const stopped = await listening.stop();
    expect(stopped.code).toBe(130);
    const { resume } = JSON.parse(stopped.stderr).error;
    expect(resume).toContain(`--after ${receiver.messages.at(-1)?.id}`);
  });

  it('signs with the secret that is given, and continues after the last event', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const env = { CHANGGU_WEBHOOK_SECRET: secret };
    const listening = await listen(['--type', 'job.finished'], { env });
    await runJob();
    await listening.lines(1);
    const { code, stderr } = await listening.stop();
    expect(code).toBe(130);
    expect(stderr).toContain(`Secret: ${secret}`);
    const [message] = receiver.messages;
    await verifyWebhook(message?.body ?? '', message?.headers ?? {}, secret);
    // Its last line is the command that continues.
    const after = / --after (evt_\w+)\n$/.exec(stderr)?.[1] ?? '';
    expect(after).toBe(message?.id);
    await runJob();
    const again = await listen(['--type', 'job.finished', '--after', after], { env });
    await again.lines(1);
    await again.stop();
    expect(receiver.messages).toHaveLength(2);
    expect(receiver.messages[1]?.id).not.toBe(after);
  });

  it('ends after --timeout with 8, and prints the typed command that continues (D151)', async () => {
    const forward = `${receiver.url}?a=1&b=2`;
    const argv = ['webhooks', 'listen', '--forward', forward, '--type', 'job.finished'];
    const ran = await run(...argv, '--timeout', '1s');
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain(
      `  changgu webhooks listen --forward '${forward}' --type job.finished --timeout 1s --lang en --after evt_`,
    );
  });

  it('tells of a receiver that fails, redirects or is gone, and follows no redirect', async () => {
    const listening = await listen(['--type', 'job.finished', '-o', 'json']);
    receiver.answer = answering(500, 'boom');
    await runJob();
    await listening.lines(2);
    receiver.answer = answering(302, '', { location: receiver.url });
    await runJob();
    await listening.lines(3);
    await receiver.close();
    await runJob();
    const [, ...lines] = await listening.lines(4);
    await listening.stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { status: 'FAILED', response_status: 500, response_body: 'boom', error: 'STATUS' },
      { status: 'FAILED', response_status: 302, error: 'REDIRECT' },
      { status: 'FAILED', response_status: null, error: 'CONNECTION' },
    ]);
    expect(receiver.messages).toHaveLength(2);
  });

  it('sends the events of its environment, and those of none', async () => {
    const { email, password } = service.server.console;
    await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
    const env = { CHANGGU_CLIENT_ID: '', CHANGGU_CLIENT_SECRET: '' };
    const types = ['--type', 'job.finished,key.issued', '--env', 'production'];
    const listening = await listen([...types, '-o', 'id'], { env });
    await runJob();
    await run('app-credentials', 'issue', 'listener', '--json');
    await listening.lines(1);
    await listening.stop();
    expect(receiver.messages.map(({ type }) => type)).toEqual(['key.issued']);
  });

  it('connects again by itself, says so, and misses nothing', async () => {
    await using line = await startLine(service.server.url);
    const connected = Promise.withResolvers<void>();
    const listening = await listen(['--type', 'job.finished', '-o', 'tsv'], {
      env: { CHANGGU_BASE_URL: line.url },
      onStderr: (text) => {
        if (text.includes('No event was missed')) connected.resolve();
      },
    });
    line.cut();
    await runJob();
    await connected.promise;
    await listening.lines(1);
    expect((await listening.stop()).stderr).toContain('reconnecting');
    expect(receiver.messages).toHaveLength(1);
  });

  it('refuses an address or a secret that cannot be used, and sends nothing', async () => {
    for (const url of ['localhost:3000', 'ftp://a.example/', 'http://user:pw@localhost/']) {
      const ran = await run('webhooks', 'listen', '--forward', url);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('http://') });
    }
    for (const secret of ['secret-4821', 'whsec_c2hvcnQ=']) {
      const env = { CHANGGU_WEBHOOK_SECRET: secret };
      const argv = ['webhooks', 'listen', '--forward', receiver.url, '--lang', 'en'];
      const { code, stderr } = await service.home.run(argv, { env });
      expect(code).toBe(2);
      expect(stderr).toContain('CHANGGU_WEBHOOK_SECRET');
      expect(stderr).not.toContain(secret);
    }
  });
});

/** A proxy in front of a server whose connections can be cut. */
async function startLine(to: string) {
  const line: Server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = request(new URL(url, to), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port } = line.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => line.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      line.closeAllConnections();
      await new Promise((resolve) => line.close(resolve));
    },
  };
}
