/**
 * Claims: endpoints cost a submission nothing; one process sends 1,000 events a second to 100 endpoints while it runs
 * the jobs that they are of; and a receiver and workers that are killed at random miss no event.
 * Run: node --conditions=@changgu/source bench/webhooks.ts [seconds]
 *      node --conditions=@changgu/source bench/webhooks.ts --minutes 10
 * The second form kills; it fails when an event was not delivered.
 */
import { parseArgs } from 'node:util';
import { submitLoad } from './support/load.ts';
import { startPostgres } from './support/postgres.ts';
import { interleaved, ratio } from './support/rounds.ts';
import { type MeasuredServer, startChanggu } from './support/server-process.ts';
import { deliveries } from './support/webhooks/deliveries.ts';
import { addEndpoints, tokenOfOwner } from './support/webhooks/endpoints.ts';
import { kills } from './support/webhooks/kills.ts';

const GOAL = 0.95;
const ENDPOINTS = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' } },
});
if (values.minutes === undefined) {
  const seconds = Number(positionals[0] ?? 5);
  await submissions(seconds);
  await deliveries(seconds * 4);
} else {
  process.exitCode = (await kills(Number(values.minutes))) ? 0 : 1;
}

/**
 * Deliveries are made from the events afterwards, by others: the server under test only accepts. A second server
 * without endpoints shows how far two equal ones are apart on this machine.
 */
async function submissions(seconds: number): Promise<void> {
  const postgres = await startPostgres();
  const second = await startPostgres();
  const third = await startPostgres();
  const servers: MeasuredServer[] = [];
  const contender = async (name: string, endpoints: number, url?: string) => {
    const env = {
      CHANGGU_ROLE: 'api',
      ...(url === undefined ? {} : { CHANGGU_DATABASE_URL: url }),
    };
    const server = await startChanggu({ env });
    servers.push(server);
    const token = await tokenOfOwner(server);
    await addEndpoints(server, token, endpoints, 'http://127.0.0.1:9/hook');
    return { name, run: () => submitLoad(server, seconds) };
  };
  try {
    const measured = await interleaved([
      await contender('SQLite, no endpoint', 0),
      await contender('SQLite, no endpoint either', 0),
      await contender(`SQLite, ${ENDPOINTS} endpoints`, ENDPOINTS),
      await contender('PostgreSQL, no endpoint', 0, postgres.url),
      await contender('PostgreSQL, no endpoint either', 0, second.url),
      await contender(`PostgreSQL, ${ENDPOINTS} endpoints`, ENDPOINTS, third.url),
    ]);
    for (const [without, control, withTen] of [measured.slice(0, 3), measured.slice(3)]) {
      ratio(control, without, 1);
      ratio(withTen, without, GOAL);
    }
  } finally {
    for (const server of servers) await server.close();
    await postgres.close();
    await second.close();
    await third.close();
  }
}
