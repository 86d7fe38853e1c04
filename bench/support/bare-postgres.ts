import { randomUUID } from 'node:crypto';
import { JobSubmitRequest } from '@changgu/contract/schemas';
import Fastify from 'fastify';
import pg from 'pg';
import { validatorCompiler } from '../../packages/server/src/http/validation.ts';

// A hand-written submission on PostgreSQL: the lock of its link (all load uses the same one), then key,
// quota and row in one statement. No authentication, no check of params, no head of a lane, no wake-up.
const pool = new pg.Pool({ connectionString: process.env.BARE_POSTGRES_URL, max: 10 });
await pool.query(`
  create schema if not exists bare;
  create table bare.usage (organization_id integer primary key, used integer not null);
  insert into bare.usage values (1, 0);
  create table bare.jobs (
    seq bigint generated always as identity primary key,
    id text not null unique,
    organization_id integer not null,
    idempotency_key text not null,
    body text not null,
    submitted_at timestamptz not null default now(),
    unique (organization_id, idempotency_key)
  )`);

const SUBMIT = `
  with charged as (
    update bare.usage set used = used + 1
    where organization_id = $1 and used < 1000000000 and not exists (
      select 1 from bare.jobs where organization_id = $1 and idempotency_key = $3)
    returning organization_id
  )
  insert into bare.jobs (id, organization_id, idempotency_key, body)
  select $2, organization_id, $3, $4 from charged
  returning id, submitted_at`;

async function submit(key: string, body: string): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'lock',
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: ['lane'],
    });
    const values = [1, `job_${randomUUID()}`, key, body];
    const { rows } = await client.query({ name: 'submit', text: SUBMIT, values });
    await client.query('commit');
    return rows[0].id;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const app = Fastify();
app.setValidatorCompiler(validatorCompiler);
app.post('/v1/jobs', { schema: { body: JobSubmitRequest } }, async (request, reply) => {
  const id = await submit(String(request.headers['idempotency-key']), JSON.stringify(request.body));
  return reply.code(202).send({ job_id: id, status: 'QUEUED' });
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
