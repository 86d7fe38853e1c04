import { listPrompts, promptText } from '@changgu/contract/catalogue';
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';
import { CORE_TOOLS } from './tools/tool-names.ts';

const TOOLS = {
  overview: CORE_TOOLS.accounts,
  search: CORE_TOOLS.search,
  run: CORE_TOOLS.run,
};

/** The jobs that people ask for most, for hosts that show prompts to their person. */
export function servePrompts(server: Server, { language }: Pick<Caller, 'language'>): void {
  const prompts = listPrompts(language);
  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const found = promptText(params.name, params.arguments ?? {}, { language, tools: TOOLS });
    if (found === null) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_PROMPT[language]);
    }
    const { description, text } = found;
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

const NO_PROMPT = {
  ko: '없는 프롬프트이거나 필수 인수가 빠졌습니다. prompts/list를 확인하십시오.',
  en: 'There is no such prompt, or a required argument is missing: see prompts/list.',
};
