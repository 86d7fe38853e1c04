/**
 * An agent without a model: it does with the bridge what a model would. Connection and credentials come from CHANGGU_*
 * variables; BRIDGE is the command that starts the bridge.
 */
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { Answer, isUnfinished } from './answer.ts';

const lines = createInterface({ input: process.stdin });
const answers = lines[Symbol.asyncIterator]();

// Declared, so that the bridge itself asks the person before irreversible acts.
const client = new Client(
  { name: 'bank-agent', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } } },
);
client.setRequestHandler('elicitation/create', async ({ params }) => {
  console.log(`\n${params.message}`);
  return (await agreed()) ? { action: 'accept', content: { agree: true } } : { action: 'decline' };
});

const [command = '', ...args] = (process.env.BRIDGE ?? 'changgu-mcp').split(' ');
// A host does not pass on its environment by itself.
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
await client.connect(new StdioClientTransport({ command, args, env }));

const { tools } = await client.listTools();
console.log(`${tools.length} tools, first ${tools[0]?.name}`);

const { data } = await call('session_status', {});
console.log('session', JSON.stringify(z.object({ env_scope: z.string() }).parse(data)));

// A bank job. With wait_seconds 0 the answer is immediate; `next` leads to its result.
const started = await call('bank_b_transactions', { direction: 'in', wait_seconds: 0 });
console.log(`bank job ${started.job_id}`);
const history = await toTheEnd(started);
console.log('transactions', history.status, JSON.stringify(history.data));

// Issuing a certificate is irreversible, so the handler above is asked first.
const certificate = await toTheEnd(
  await call('run_service', { service: 'tax_portal.c1.vat_standard' }),
);
console.log('certificate', certificate.status, certificate.error?.next_action ?? '');

await client.close();
lines.close();

async function call(name: string, args: Record<string, unknown>): Promise<Answer> {
  const { structuredContent } = await client.callTool(
    { name, arguments: args },
    { onprogress: ({ message }) => console.error(message) },
  );
  return Answer.parse(structuredContent);
}

/** Polls a job that is still running: never submits it again. */
async function toTheEnd(answer: Answer): Promise<Answer> {
  const [step] = answer.next;
  return isUnfinished(answer) && step ? toTheEnd(await call(step.tool, step.arguments)) : answer;
}

async function agreed(): Promise<boolean> {
  console.log('Submit? [y/N]');
  const { value = '' } = await answers.next();
  return value.trim().toLowerCase() === 'y';
}
