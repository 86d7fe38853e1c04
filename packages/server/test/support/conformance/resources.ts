import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG } from './media.ts';

export function addResources(server: McpServer): void {
  const described = { description: 'Fixture' };
  server.registerResource('static-text', 'test://static-text', described, ({ href: uri }) => ({
    contents: [
      { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', described, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource('watched', 'test://watched-resource', described, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'Watched' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, described, ({ href: uri }, { id }) => {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  // A server without sessions has no subscriber to remember: it accepts, and reports no change.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
