import {
  createMcpHandler,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isLegacyRequest,
  McpServer,
  type Server,
  type ServerEventBus,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Language } from '../requests/language.ts';
import { type AnswerForm, answerFormOf, BOTH_FORMS } from './answer-form.ts';
import { isListening } from './job-changes.ts';
import { isRpcMessage, rpcErrorResponse } from './json-rpc.ts';
import { inLanguage, protocolError, type RpcError } from './protocol-messages.ts';

/** Before 2026-07-28, or since. */
export type Era = 'legacy' | 'modern';

/** One HTTP request with JSON-RPC in it, for any server. */
export interface Exchange {
  /** The body as parsed JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly language: Language;
  /** Aborted when the caller disconnects, which ends the exchange. */
  readonly gone: AbortSignal;
  /** Also aborted when the server drains, to end answers that would stay open forever. */
  readonly stopWaiting: AbortSignal;
  /** A server for one message. */
  readonly createServer: (era: Era) => Server | McpServer;
  /** What a caller that listens is told; left out for nothing. */
  readonly bus?: ServerEventBus;
}

const MAX_BATCH = 20;

/**
 * Answers in either protocol era, as JSON or as an event stream, by `Accept` (ADR 0019).
 * A batch is answered as a batch although newer revisions dropped it, because JSON-RPC 2.0 has it.
 */
export async function answerExchange(exchange: Exchange): Promise<Response> {
  const { body } = exchange;
  const form = answerFormOf(exchange.headers.get('accept'));
  return Array.isArray(body)
    ? answerBatch(exchange, body, form)
    : answerMessage(exchange, body, form);
}

async function answerMessage(
  exchange: Exchange,
  message: unknown,
  form: AnswerForm,
): Promise<Response> {
  if (!isRpcMessage(message)) return refuse(exchange, message);
  const request = webRequest(exchange, message);
  const isLegacy = await isLegacyRequest(request, message);
  const answer = isLegacy ? answerLegacy : answerModern;
  return translated(await answer(exchange, request, message, form), exchange.language);
}

async function answerBatch(
  exchange: Exchange,
  messages: readonly unknown[],
  form: AnswerForm,
): Promise<Response> {
  if (messages.length === 0 || messages.length > MAX_BATCH) return refuse(exchange, null);
  // Its answer has no end, and that of a batch comes whole.
  if (messages.some(isListening)) return refuse(exchange, null);
  const answers = await Promise.all(
    messages.map((message) => answerMessage(exchange, message, 'json')),
  );
  const bodies: unknown[] = await Promise.all(
    answers.filter(({ body }) => body !== null).map((answer) => answer.json()),
  );
  if (bodies.length === 0) return new Response(null, { status: 202 });
  if (form !== 'stream') return Response.json(bodies);
  const events = bodies.map((body) => `event: message\ndata: ${JSON.stringify(body)}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

function refuse({ language }: Exchange, message: unknown): Response {
  return rpcErrorResponse(400, message, protocolError(-32_600, 'Invalid Request', language));
}

function webRequest({ headers, gone, stopWaiting }: Exchange, message: { method?: unknown }) {
  const accepting = new Headers(headers);
  accepting.set('accept', BOTH_FORMS);
  const signal = message.method === 'subscriptions/listen' ? stopWaiting : gone;
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: accepting,
    signal,
  });
  // Its own signal follows only while it is in memory, and nobody else keeps it there during a long answer.
  signal.addEventListener('abort', () => request);
  return request;
}

/** 2026-07-28 and later: every request is self-contained. */
async function answerModern(
  exchange: Exchange,
  request: Request,
  message: object,
  form: AnswerForm,
): Promise<Response> {
  const handler = createMcpHandler(() => openServer(exchange, form, 'modern'), {
    legacy: 'reject',
    ...(exchange.bus ? { bus: exchange.bus } : {}),
    responseMode: form === 'stream' ? 'sse' : 'auto',
  });
  return handler.fetch(request, { parsedBody: message });
}

/** 2025-11-25 and earlier, and callers that only use JSON-RPC; without sessions. */
async function answerLegacy(
  exchange: Exchange,
  request: Request,
  message: object,
  form: AnswerForm,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: form === 'json',
  });
  const server = openServer(exchange, form, 'legacy');
  await server.connect(transport);
  const abandoned = new Promise<Response>((resolve) => {
    // Nothing else tells the handlers that the caller has disconnected.
    const abandon = () => {
      void server.close();
      resolve(new Response(null, { status: 499 }));
    };
    request.signal.addEventListener('abort', abandon, { once: true });
  });
  return Promise.race([transport.handleRequest(request, { parsedBody: message }), abandoned]);
}

/** A server whose errors are in the caller's language, and which sends nothing before a JSON answer. */
function openServer(
  { createServer, language }: Exchange,
  form: AnswerForm,
  era: Era,
): Server | McpServer {
  const made = createServer(era);
  const server = made instanceof McpServer ? made.server : made;
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (form === 'json' && isJSONRPCNotification(message)) return;
      const error = isJSONRPCErrorResponse(message) && inLanguage(message.error, language);
      await send(error ? { ...message, error } : message, options);
    };
    return connect(transport);
  };
  return made;
}

/** Requests that the library refuses before they reach a server get its own answer, in English. */
async function translated(response: Response, language: Language): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  if (response.status < 400 || !isJson) return response;
  // The library writes no JSON other than JSON-RPC.
  const body = (await response.json()) as { readonly error: RpcError };
  const { status, headers } = response;
  return new Response(JSON.stringify({ ...body, error: inLanguage(body.error, language) }), {
    status,
    headers,
  });
}
