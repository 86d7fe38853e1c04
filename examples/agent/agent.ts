import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { Answer, isUnfinished, type NextStep } from './answer.ts';
import { toAnswer, toServiceCall } from './service-words.ts';

export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** Where the tools are: the bridge over HTTP (`changgu-mcp http`) or stdio, or `POST /mcp` of the service. */
export type Place =
  | { readonly bridge: string; readonly token: string }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly service: string; readonly headers: Record<string, string> };

/** Decides about irreversible acts. */
export type Person = (question: string) => boolean;

/** An agent without a model: it follows the answers, and counts what a model would have read and written. */
export interface Agent {
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>;
  follow(step: NextStep | undefined): Promise<Answer>;
  /** A file that an answer links to, for its person; no model reads it. */
  read(uri: string): Promise<Buffer>;
  /** One request of a person: asks back when necessary, logs in when told to, and waits until it is over. */
  finish(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** The tokens of its calls and their answers so far, without the list of tools. */
  tokens(): number;
  close(): Promise<void>;
}

export async function connectAgent(era: Era, place: Place, person: Person): Promise<Agent> {
  const client = await connectClient(era, place, person);
  const isService = 'service' in place;
  let tokens = 0;
  // A new request is performed again; a repeated call of the same request finds its job.
  const conversation = randomUUID();
  let requests = 0;

  const call: Agent['call'] = async (name, args = {}) => {
    const asked = isService ? toServiceCall(name, args) : { name, arguments: { ...args } };
    const result = await client.callTool(asked);
    const { content, structuredContent } = result;
    const texts = content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)));
    // Of the tokenizers in use this one is hardest on Korean.
    tokens += countTokens(withTypicalIds(JSON.stringify(asked) + texts.join('')));
    return isService ? toAnswer(result, args) : Answer.parse(structuredContent);
  };
  const follow: Agent['follow'] = (step) => {
    if (!step) throw new Error('the answer leads nowhere');
    return call(step.tool, step.arguments);
  };
  /** Polls the same job: never submits it again. */
  const toTheEnd = async (answer: Answer): Promise<Answer> =>
    isUnfinished(answer) ? toTheEnd(await follow(answer.next[0])) : answer;
  /** A host of the older era cannot ask over HTTP, so the agent passes the summary on to its person. */
  const once: Agent['finish'] = async (tool, args) => {
    const answer = await call(tool, args);
    if (answer.status !== 'CONFIRMATION_REQUIRED') return toTheEnd(answer);
    return person(JSON.stringify(answer.data)) ? toTheEnd(await follow(answer.next[0])) : answer;
  };

  return {
    call,
    follow,
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      return Buffer.from(content && 'blob' in content ? content.blob : '', 'base64');
    },
    async finish(tool, args) {
      requests += 1;
      const request = { request_id: `${conversation}-${requests}`, ...args };
      const answer = await once(tool, request);
      if (!NO_SESSION.has(answer.error?.code ?? '')) return answer;
      const login = await toTheEnd(await follow(answer.next[0]));
      return login.status === 'SUCCEEDED' ? once(tool, request) : login;
    },
    tokens: () => tokens,
    close: () => client.close(),
  };
}

const TYPICAL_ID = '01KBAWN5GEQ22HWPH2FBBETR3A';
const TYPICAL_UUID = '7ba33cf6-f119-47fe-b0e9-3dd3140c7d54';

/** Ids are random, and some take nearly twice the tokens of others: each counts as one of the median. */
function withTypicalIds(text: string): string {
  return text
    .replaceAll(/(?<=_)[0-7][\dA-HJKMNP-TV-Z]{25}\b/g, TYPICAL_ID)
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, TYPICAL_UUID);
}

async function connectClient(era: Era, place: Place, person: Person): Promise<Client> {
  const client = new Client(
    { name: 'scripted-agent', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) =>
    person(params.message) ? { action: 'accept', content: { agree: true } } : { action: 'decline' },
  );
  await client.connect(transportTo(place));
  return client;
}

function transportTo(place: Place) {
  if ('command' in place) return new StdioClientTransport({ ...place, stderr: 'ignore' });
  const [url, headers] =
    'service' in place
      ? [place.service, place.headers]
      : [place.bridge, { authorization: `Bearer ${place.token}` }];
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

/** Failures that a login resolves: there is no session, or the institution ended it. */
const NO_SESSION: ReadonlySet<string> = new Set(['AUTH_REQUIRED', 'PROVIDER_SESSION_EXPIRED']);
