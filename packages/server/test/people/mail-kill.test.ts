import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import { type DevProcess, startDevProcess } from '../support/dev-process.ts';

const ADDRESS = 'patient@example.com';

const processes: DevProcess[] = [];
afterAll(async () => {
  for (const { process } of processes) process.kill('SIGKILL');
});

/** Takes every letter, and answers only when told to: until then the sender does not know. */
async function openHesitantServer() {
  const ids: string[] = [];
  const waiting: (() => void)[] = [];
  let answers = false;
  let arrived = Promise.withResolvers<void>();
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        ids.push(/^Message-ID: (.*)$/im.exec(Buffer.concat(pieces).toString())?.[1] ?? '');
        if (answers) done();
        else waiting.push(() => done());
        arrived.resolve();
      });
    },
  });
  smtp.on('error', () => {});
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    ids,
    async arrival() {
      await arrived.promise;
      arrived = Promise.withResolvers();
    },
    answer() {
      answers = true;
    },
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}

it('a letter is sent again after SIGKILL in the middle of sending, and never lost', {
  timeout: 90_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-mail-kill-'));
  const mail = await openHesitantServer();
  const start = async () => {
    const dev = await startDevProcess(dataDir, { CHANGGU_SMTP_URL: mail.url });
    processes.push(dev);
    return dev;
  };
  const first = await start();
  const registered = await first.call('POST', '/v1/auth/register', {
    email: ADDRESS,
    password: 'a fresh passphrase 6',
    name: '홍길동',
    agree_terms: true,
    agree_privacy: true,
  });
  expect(registered.status).toBe(201);
  await mail.arrival();
  expect(await first.end('SIGKILL')).toBe('SIGKILL');

  mail.answer();
  const file = join(dataDir, 'changgu.db');
  const db = new DatabaseSync(file);
  db.exec('pragma busy_timeout = 5000');
  expect(db.prepare('select count(*) as letters from mail_outbox').get()).toEqual({ letters: 1 });
  // As if the lease of the killed process had run out.
  db.exec('update mail_outbox set next_attempt_at = 0');
  const second = await start();
  await mail.arrival();
  expect(mail.ids).toHaveLength(2);
  // Mail programs show one letter of the same id.
  expect(new Set(mail.ids).size).toBe(1);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(db.prepare('select count(*) as letters from mail_outbox').get()).toEqual({ letters: 0 });
  db.close();
  await mail.close();
  await rm(dataDir, { recursive: true });
});
