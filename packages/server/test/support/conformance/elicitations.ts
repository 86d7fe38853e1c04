import type { ElicitRequestFormParams, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Form = ElicitRequestFormParams['requestedSchema'];

const options = ['option1', 'option2', 'option3'];
const titled = (words: string) =>
  ['First', 'Second', 'Third'].map((nth, index) => ({
    const: `value${index + 1}`,
    title: `${nth} ${words}`,
  }));

const DEFAULTS: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const ENUMS: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

const PERSON: Form = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
};

/** Tools that ask the user while they run, as revisions before 2026-07-28 do. */
export function addElicitations(server: McpServer): void {
  server.registerTool(
    'test_elicitation',
    { description: 'Asks', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({ message, requestedSchema: PERSON });
      const words = `User response: action=${action}, content=${JSON.stringify(content)}`;
      return { content: [{ type: 'text', text: words }] };
    },
  );
  const forms = [
    ['test_elicitation_sep1034_defaults', DEFAULTS],
    ['test_elicitation_sep1330_enums', ENUMS],
  ] as const;
  for (const [name, requestedSchema] of forms) {
    server.registerTool(name, { description: 'Asks' }, async ({ mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({ message: 'Please', requestedSchema });
      const words = `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
      return { content: [{ type: 'text', text: words }] };
    });
  }
}
