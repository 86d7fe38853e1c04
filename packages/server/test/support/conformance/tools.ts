import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG, WAV } from './media.ts';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const resource = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const;

/** The tools that the suite asks every server under test for. */
export function addTools(server: McpServer): void {
  const tool = (name: string) => ({ description: `Fixture ${name}` });

  server.registerTool('test_simple_text', tool('text'), () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', tool('image'), () => ({ content: [image] }));
  server.registerTool('test_audio_content', tool('audio'), () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', tool('resource'), () => ({
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }));
  server.registerTool('test_multiple_content_types', tool('several'), () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool('test_error_handling', tool('error'), () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_logging', tool('logging'), async ({ mcpReq }) => {
    for (const words of ['started', 'processing', 'completed']) {
      await mcpReq.log('info', `Tool execution ${words}`);
      await sleep(20);
    }
    return text('Logged');
  });
  server.registerTool('test_logging_tool', tool('silence'), async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only for those who asked');
    return text('Logged');
  });
  server.registerTool('test_tool_with_progress', tool('progress'), async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await sleep(20);
    }
    return text('Done');
  });
  server.registerTool(
    'test_sampling',
    { ...tool('sampling'), inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const content = { type: 'text', text: prompt } as const;
      const answer = await mcpReq.requestSampling({
        messages: [{ role: 'user', content }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  );
}
