import { randomUUID } from 'node:crypto';
import { type MeasuredServer, startChanggu } from './server-process.ts';

const WARM_UP = 50;
const TOOL = 'bank_a__accounts__list';
const ACTION = { provider: 'bank_a', action: 'bank_a.accounts.list' };

export interface EndpointCost {
  /** Median milliseconds of a tool call that answers the job without waiting, and of POST /v1/jobs. */
  readonly submit: { readonly tool: number; readonly rest: number };
  /** From the call to the result: one tool call, and submit, wait and result over REST. */
  readonly result: { readonly tool: number; readonly rest: number };
  /** `modelCharacters`: names, descriptions and arguments, which hosts pass to a model. */
  readonly toolsList: {
    readonly tools: number;
    readonly characters: number;
    readonly modelCharacters: number;
    readonly ms: number;
  };
}

/** The cost of a tool call compared with the REST calls that do the same, one at a time on an idle server. */
export async function measureEndpoint(calls: number): Promise<EndpointCost> {
  const hasty = await startChanggu({ env: { CHANGGU_MCP_WAIT_SECONDS: '0' } });
  const submit = {
    rest: await median(calls, () => submitJob(hasty)),
    tool: await median(calls, () => rpc(hasty, 'tools/call', { name: TOOL, arguments: {} })),
  };
  await hasty.close();
  const patient = await startChanggu();
  const result = {
    rest: await median(calls, () => runOverRest(patient)),
    tool: await median(calls, () => rpc(patient, 'tools/call', { name: TOOL, arguments: {} })),
  };
  const ms = await median(calls, () => rpc(patient, 'tools/list', {}));
  const answer = await rpc(patient, 'tools/list', {});
  await patient.close();
  const { tools }: { tools: { name: string; description: string; inputSchema: object }[] } =
    JSON.parse(answer).result;
  const shown = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  return {
    submit,
    result,
    toolsList: {
      tools: tools.length,
      characters: JSON.stringify(tools).length,
      modelCharacters: JSON.stringify(shown).length,
      ms,
    },
  };
}

async function median(calls: number, act: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < WARM_UP; n += 1) await act();
  const times: number[] = [];
  for (let n = 0; n < calls; n += 1) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(calls / 2)] ?? Number.NaN;
}

async function rpc(server: MeasuredServer, method: string, params: object): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await send(server, 'POST', '/mcp', { body });
  if (answer.includes('"error":{"code":-')) throw new Error(answer.slice(0, 500));
  return answer;
}

async function submitJob(server: MeasuredServer): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await send(server, 'POST', '/v1/jobs', { body: JSON.stringify(ACTION), headers });
  const { job_id: id }: { job_id: string } = JSON.parse(answer);
  return id;
}

async function runOverRest(server: MeasuredServer): Promise<void> {
  const id = await submitJob(server);
  const headers = { prefer: 'wait=10' };
  for (let status = ''; status !== 'SUCCEEDED'; ) {
    ({ status } = JSON.parse(await send(server, 'GET', `/v1/jobs/${id}`, { headers })));
  }
  await send(server, 'GET', `/v1/jobs/${id}/result`, {});
}

async function send(
  { url, authorization }: MeasuredServer,
  method: string,
  path: string,
  { body, headers }: { body?: string; headers?: Record<string, string> },
): Promise<string> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization,
      'x-env-scope': 'sandbox',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}
