import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const user = (words: string) => ({ role: 'user', content: { type: 'text', text: words } }) as const;

type Form = ElicitRequestFormParams['requestedSchema'];

const ask = (message: string, name: string, type: 'string' | 'boolean' = 'string') => {
  const property: Form['properties'][string] = type === 'string' ? { type } : { type };
  const requestedSchema: Form = {
    type: 'object',
    properties: { [name]: property },
    required: [name],
  };
  return inputRequired.elicit({ message, requestedSchema });
};
const sample = (words: string) =>
  inputRequired.createMessage({ messages: [user(words)], maxTokens: 100 });

export const stateCodec: RequestStateCodec<string> = createRequestStateCodec<string>({
  key: 'a key of at least thirty-two bytes, for tests',
});

const answers = ({ mcpReq }: ServerContext) => mcpReq.inputResponses;
const has = (ctx: ServerContext, ...keys: string[]) =>
  keys.every((key) => answers(ctx)?.[key] !== undefined);

/** Tools that ask by answering `input_required` and being called again (2026-07-28). */
export function addInputs(server: McpServer): void {
  const described = { description: 'Asks' };
  const name = (ctx: ServerContext) =>
    acceptedContent(answers(ctx), 'user_name', z.object({ name: z.string() }))?.name;

  server.registerTool('test_input_required_result_elicitation', described, (ctx) => {
    const given = name(ctx);
    if (given !== undefined) return text(`Hello, ${given}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  });
  server.registerTool('test_input_required_result_sampling', described, (ctx) => {
    if (has(ctx, 'capital_question')) return text(JSON.stringify(answers(ctx)));
    const inputRequests = { capital_question: sample('What is the capital of France?') };
    return inputRequired({ inputRequests });
  });
  server.registerTool('test_input_required_result_list_roots', described, (ctx) => {
    if (has(ctx, 'client_roots')) return text(JSON.stringify(answers(ctx)));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  server.registerTool('test_input_required_result_multiple_inputs', described, async (ctx) => {
    if (has(ctx, 'user_name', 'greeting', 'client_roots')) return text('All answered');
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await stateCodec.mint('multiple', ctx),
    });
  });
  for (const suffix of ['request_state', 'tampered_state']) {
    server.registerTool(`test_input_required_result_${suffix}`, described, async (ctx) => {
      if (ctx.mcpReq.requestState() === 'asked' && has(ctx, 'confirm')) return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
        requestState: await stateCodec.mint('asked', ctx),
      });
    });
  }
  server.registerTool('test_input_required_result_multi_round', described, async (ctx) => {
    const round = ctx.mcpReq.requestState();
    if (round === 'two' && has(ctx, 'step2')) return text('Done');
    const second = round === 'one' && has(ctx, 'step1');
    return inputRequired({
      inputRequests: second
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await stateCodec.mint(second ? 'two' : 'one', ctx),
    });
  });
  server.registerTool('test_input_required_result_capabilities', described, ({ mcpReq }) => {
    const envelope: Partial<Record<string, unknown>> = mcpReq.envelope ?? {};
    // The library has checked the envelope against the protocol's schema.
    const can = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
    return inputRequired({
      inputRequests: {
        ...(can.sampling && { greeting: sample('Generate a greeting') }),
        ...(can.elicitation && { user_name: ask('What is your name?', 'name') }),
      },
      requestState: 'none',
    });
  });
  server.registerPrompt('test_input_required_result_prompt', described, (ctx) => {
    if (has(ctx, 'user_context')) return { messages: [user('With context')] };
    const message = 'What context should the prompt use?';
    return inputRequired({ inputRequests: { user_context: ask(message, 'context') } });
  });
  server.registerTool('test_missing_capability', described, () =>
    inputRequired({ inputRequests: { question: sample('Anything') } }),
  );
  server.registerTool('test_streaming_elicitation', described, () =>
    inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } }),
  );
}
