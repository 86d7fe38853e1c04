import {
  createMcpHandler,
  isJSONRPCNotification,
  isLegacyRequest,
  type McpServerFactory,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** How an answer goes out: JSON, an event stream, or JSON that becomes a stream when there is progress. */
type AnswerForm = 'json' | 'stream' | 'either';

export interface HttpExchange {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Answers each request in either era of the protocol, without sessions. The library refuses callers that do not accept
 * both JSON and event streams: they get the one that they accept, and those that say nothing get JSON.
 */
export function createHttpExchange(
  createServer: McpServerFactory,
  bus: ServerEventBus,
  onerror: (error: Error) => void,
): HttpExchange {
  const createSilent = withoutNotifications(createServer);
  const handlers = {
    json: createMcpHandler(createSilent, { onerror, bus }),
    stream: createMcpHandler(createServer, { onerror, bus, responseMode: 'sse' }),
    either: createMcpHandler(createServer, { onerror, bus }),
  };
  return {
    async fetch(request) {
      const form = formOf(request.headers.get('accept'));
      request.headers.set('accept', 'application/json, text/event-stream');
      const isOldAndJson = form === 'json' && (await isLegacyRequest(request));
      return isOldAndJson ? answerOldInJson(createSilent, request) : handlers[form].fetch(request);
    },
    async close() {
      await Promise.all(Object.values(handlers).map((one) => one.close()));
    },
  };
}

function formOf(accept: string | null): AnswerForm {
  const types = (accept ?? '').toLowerCase();
  if (!types.includes('text/event-stream')) return 'json';
  return types.includes('application/json') ? 'either' : 'stream';
}

/** An answer becomes a stream with the first message before it; these servers send none. */
function withoutNotifications(createServer: McpServerFactory): McpServerFactory {
  return async (context) => {
    const server = await createServer(context);
    const connect = server.connect.bind(server);
    server.connect = (transport) => {
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        if (!isJSONRPCNotification(message)) await send(message, options);
      };
      return connect(transport);
    };
    return server;
  };
}

/** Revisions before 2026-07-28: the library would always answer them with a stream. */
async function answerOldInJson(
  createServer: McpServerFactory,
  request: Request,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = await createServer({ era: 'legacy', requestInfo: request });
  // Nothing else tells the tool that its caller is gone.
  request.signal.addEventListener('abort', () => void server.close(), { once: true });
  await server.connect(transport);
  return transport.handleRequest(request);
}
