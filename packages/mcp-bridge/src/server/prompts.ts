import { listPrompts, promptText } from '@changgu/sdk/catalogue';
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Bridge } from '../bridge.ts';

const TOOLS = { overview: 'session_status', search: 'search_services', run: 'run_service' };

/** The jobs that people ask for most, for hosts that show prompts to their person. */
export function servePrompts(server: Server, { settings: { language } }: Bridge): void {
  const prompts = listPrompts(language);
  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const found = promptText(params.name, params.arguments ?? {}, { language, tools: TOOLS });
    if (found === null) {
      const message =
        'There is no such prompt, or a required argument is missing: see prompts/list.';
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const { description, text } = found;
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
