import { blamingParams } from '@changgu/sdk/catalogue';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Server,
} from '@modelcontextprotocol/server';
import type { Bridge } from '../bridge.ts';
import { explain } from '../results/explain-error.ts';
import { failedEnvelope } from '../run/job-envelope.ts';
import { toolResult } from './tool-result.ts';

/** The server, which says in the bridge's own way what the library would answer by itself. */
export function inOwnWords(bridge: Bridge, server: Server): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(reworded(bridge, message), options);
    return connect(transport);
  };
  return server;
}

function reworded(bridge: Bridge, message: JSONRPCMessage): JSONRPCMessage {
  // Refusals of params of the wrong shape say so by their code.
  if (isJSONRPCErrorResponse(message)) return { ...message, error: blamingParams(message.error) };
  if (!isJSONRPCResultResponse(message)) return message;
  const { isError, structuredContent } = message.result;
  // Every answer of a tool is structured but the library's own, when a host of before 2026 fails to ask its person.
  if (isError !== true || structuredContent !== undefined) return message;
  const failed = explain(bridge, { code: 'CONFIRMATION_FAILED', retryable: true });
  return { ...message, result: toolResult(failedEnvelope(bridge, failed)) };
}
