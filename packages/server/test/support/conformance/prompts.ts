import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from './media.ts';

const said = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'No arguments' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argument = (start: string) =>
    completable(z.string(), (value) => [start].filter((each) => each.startsWith(value)));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Two arguments',
      argsSchema: z.object({ arg1: argument('paris'), arg2: argument('london') }),
    },
    ({ arg1, arg2 }) => ({
      messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const text = 'Embedded resource content for testing.';
      const resource = { uri, mimeType: 'text/plain', text };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          said('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }));
}
