/** See and change every attempt. No header that carries a credential is ever logged. */
import { Changgu, type Middleware } from '@changgu/sdk';

const timing: Middleware = async (request, next, { operation, attempt }) => {
  const start = performance.now();
  const response = await next(request);
  console.log(operation, attempt, response.status, `${(performance.now() - start).toFixed(0)} ms`);
  return response;
};

await using client = new Changgu({
  middleware: [timing],
  onRetry: ({ operation, attempts, delayMs, error }) =>
    console.log(
      `${operation}: attempt ${attempts} failed with ${error.code}, again in ${delayMs} ms`,
    ),
  maxRetries: 4,
  attemptTimeoutMs: 10_000,
  totalTimeoutMs: 120_000,
  connection: { connections: 32 },
});
await client.jobs.run({ action: 'bank_d.accounts.list' });
