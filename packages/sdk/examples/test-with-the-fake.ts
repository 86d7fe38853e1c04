/** Your own tests without a server: the service in memory, its time and its faults in your hands. */
import assert from 'node:assert/strict';
import { Changgu } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';

const service = new FakeService();
const client = new Changgu(service.clientOptions);
const action = 'bank_b.accounts.list';

// The job takes an hour of the fake's time and no time of yours.
service.willEnd(action, {
  state: 'SUCCEEDED',
  runningMs: 3_600_000,
  data: { success: true, items: [] },
});
// The answer of the first submission is lost, the second is refused: still one job.
service.faults.add(
  { kind: 'drop', when: 'after' },
  { kind: 'refusal', code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 },
);

const result = await service.clock.runUntil(client.jobs.run({ action }));
assert.equal(service.jobs.length, 1);
assert.deepEqual(result.data, { success: true, items: [] });
console.log('one job, no waiting');
