/** Every error is typed and carries the key: nothing is ever in doubt. */
import { Changgu, isChangguError, JobFailedError } from '@changgu/sdk';

await using client = new Changgu({ language: 'en' });

try {
  await client.jobs.run({
    action: 'bank_b.accounts.list',
    // Sandbox plays any end: see every failure before production shows it.
    sandboxOutcome: 'FAILED;code=PROVIDER_MAINTENANCE',
  });
} catch (error) {
  if (!(error instanceof JobFailedError)) throw error;
  console.log(`job ended ${error.status}: ${error.failure?.code}`);
  console.log(`a new submission may help: ${error.retryable}, key was ${error.idempotencyKey}`);
}

try {
  await client.jobs.get('job_01JD0000000000000000000000');
} catch (error) {
  if (!isChangguError(error)) throw error;
  console.log(`${error.name} ${error.code}, trace ${error.traceId}`);
}
