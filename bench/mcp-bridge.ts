/**
 * Claims of the MCP bridge in one run: how much of a conversation its tools take, and what a tool
 * call adds to the two REST calls that it makes, and how its all-accounts calls compare with those of `POST /mcp`.
 * Run: node --conditions=@changgu/source bench/mcp-bridge.ts
 */
import { randomUUID } from 'node:crypto';
import { bridgeTo } from '../packages/mcp-bridge/test/support/bridge.ts';
import { inProcessHost } from '../packages/mcp-bridge/test/support/in-process-host.ts';
import { startTestServer } from '../packages/server/test/support/start-server.ts';

const CALLS = 300;
const ROUNDS = 5;
/** Characters of JSON per token: fewer than any current tokenizer needs for English JSON. */
const CHARACTERS_PER_TOKEN = 3.2;

const failures: string[] = [];
function report(what: string, value: number, reach: number, unit: string): void {
  const met = value <= reach;
  if (!met) failures.push(what);
  console.log(`${met ? 'ok  ' : 'FAIL'}  ${what}: ${value.toFixed(2)} ${unit} (≤ ${reach})`);
}

/** Milliseconds per call, one after another. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < CALLS; done += 1) await call();
  return (performance.now() - start) / CALLS;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await using server = await startTestServer({ links: true, env: { RATE_LIMIT: '1000000/60' } });
const bridge = await bridgeTo(server);
const host = await inProcessHost(bridge);
console.log(`Node ${process.version}, ${process.arch}`);

const { tools } = await host.client.listTools();
report('tools, default toolsets', tools.length, 20, 'tools');
report('tools/list', JSON.stringify(tools).length / CHARACTERS_PER_TOKEN, 6_000, 'tokens');

const { job_id: jobId } = await host.call('bank_a_accounts');
await server.ended(jobId);
const { jobs } = bridge.client;
const rounds: { tool: number; rest: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const tool = await timed(() => host.call('job_result', { job_id: jobId }));
  const rest = await timed(async () => {
    await jobs.get(jobId);
    await jobs.result(jobId);
  });
  rounds.push({ tool, rest });
}
const ratio = median(rounds.map(({ tool, rest }) => tool / rest));
// Includes the host's own side, because both run in this process.
report('job_result against GET job and GET result', ratio, 2, '×');
const { tool = 0, rest = 0 } = rounds.at(-1) ?? {};
console.log(`      ${tool.toFixed(2)} ms against ${rest.toFixed(2)} ms`);
/** Room for one job at a time, so that every account but the first needs another round. */
await using narrow = await startTestServer({
  links: true,
  env: { BANK_PRODUCT_CAP: '1', SANDBOX_DELAY_MS: '100' },
});
const narrowHost = await inProcessHost(await bridgeTo(narrow));
const allAccounts = { all_accounts: true };

async function overBridge(): Promise<number> {
  const start = performance.now();
  const args = { ...allAccounts, request_id: randomUUID(), wait_seconds: 50 };
  const { status, data } = await narrowHost.call('bank_c_transactions', args);
  if (status !== 'SUCCEEDED') throw new Error(`bridge: ${status} ${JSON.stringify(data)}`);
  return performance.now() - start;
}

async function overEndpoint(): Promise<number> {
  const start = performance.now();
  const name = 'bank_c__accounts__transaction_history__search';
  const params = { name, arguments: { ...allAccounts, request_id: randomUUID() } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await narrow.call('POST', '/mcp', { body });
  const { accounts, next } = answer.body.result.structuredContent;
  if (next !== null) throw new Error(`POST /mcp: ${JSON.stringify(accounts)}`);
  return performance.now() - start;
}

const both: { bridge: number; endpoint: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  both.push({ bridge: await overBridge(), endpoint: await overEndpoint() });
}
const slower = median(both.map(({ bridge, endpoint }) => bridge / endpoint));
report('all accounts against those of POST /mcp', slower, 1.5, '×');
const { bridge: bridgeMs = 0, endpoint: endpointMs = 0 } = both.at(-1) ?? {};
console.log(`      ${bridgeMs.toFixed(0)} ms against ${endpointMs.toFixed(0)} ms`);
process.exitCode = failures.length > 0 ? 1 : 0;
process.exit();
