import { JobSubmitRequest } from '@changgu/contract/schemas';
import Fastify from 'fastify';
import { validatorCompiler } from '../../packages/server/src/http/validation.ts';

// The cost of the framework itself: the same two routes and schemas, with no work behind them.
const app = Fastify();
const submitted = {
  job_id: 'job_01JD0000000000000000000000',
  status: 'QUEUED',
  env_scope: 'sandbox',
  provider: 'bank_a',
  action: 'bank_a.accounts.list',
  submitted_at: '2026-11-21T09:00:00.000+09:00',
};
const job = {
  ...submitted,
  status: 'SUCCEEDED',
  started_at: submitted.submitted_at,
  finished_at: submitted.submitted_at,
  retry_count: 0,
  progress: 100,
  progress_message: null,
  retry_after_seconds: null,
  error: null,
};
app.setValidatorCompiler(validatorCompiler);
app.post('/v1/jobs', { schema: { body: JobSubmitRequest } }, async (_request, reply) =>
  reply.code(202).send(submitted),
);
app.get('/v1/jobs/:job_id', async () => job);
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
