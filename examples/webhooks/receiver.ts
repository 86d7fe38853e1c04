/** Receives events: verifies each, stores it once, answers, and processes it afterwards. */
import { DatabaseSync } from 'node:sqlite';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@changgu/sdk/webhooks';
import { fastify } from 'fastify';

const {
  WEBHOOK_SECRET: secrets,
  INBOX: file = 'inbox.db',
  HOST: host = '127.0.0.1',
  PORT: port = '3000',
} = process.env;
if (!secrets) {
  console.error(
    'Set WEBHOOK_SECRET to the secret of the endpoint, or of `changgu webhooks listen`.',
  );
  process.exit(2);
}
// Two during a rotation.
const known = secrets.split(',');

const inbox = new DatabaseSync(file);
inbox.exec(
  'create table if not exists inbox (event_id text primary key, event text, done_at text)',
);
const keep = inbox.prepare(
  'insert into inbox (event_id, event) values (?, ?) on conflict do nothing',
);
const waiting = inbox.prepare('select event from inbox where done_at is null order by event_id');
const finish = inbox.prepare(`update inbox set done_at = datetime('now') where event_id = ?`);

/** Stored but not processed yet, including after a restart. */
function work(): void {
  for (const row of waiting.all()) {
    const { eventId, type, subject }: WebhookEvent = JSON.parse(String(row.event));
    console.log(`${type} ${subject.jobId ?? ''} ${eventId}`);
    finish.run(eventId);
  }
}

const app = fastify();
// The signature is over the bytes as they arrived.
app.removeAllContentTypeParsers();
app.addContentTypeParser(
  'application/json',
  { parseAs: 'buffer' },
  async (_: unknown, body: Buffer) => body,
);

app.post<{ Body: Buffer }>('/hook', async ({ body, headers }, reply) => {
  const event = await verifyWebhook(body, headers, known);
  // A repeated delivery has an id that is already stored.
  if (keep.run(event.eventId, JSON.stringify(event)).changes === 1) setImmediate(work);
  return reply.code(204).send();
});

app.setErrorHandler((error, _, reply) => {
  if (error instanceof WebhookVerificationError) return reply.code(401).send({ error: error.flaw });
  return reply.send(error);
});

work();
console.log(`listening at ${await app.listen({ host, port: Number(port) })}/hook`);
