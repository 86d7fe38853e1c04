import { isJsonObject } from '@changgu/contract';
import { Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Language } from '../requests/language.ts';
import type { ServiceError } from '../rules/service-error.ts';
import { protocolErrorOf, refusalOf } from './tools/tool-errors.ts';

const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** A caller with too many calls: its tool calls get a result that the model reads, everything else an error. */
export function limitedServer(error: ServiceError, language: Language): Server {
  const info = { name: 'changgu', version: '2.0.0' };
  const server = new Server(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler('tools/call', () => refusalOf(error, language, null));
  server.fallbackRequestHandler = async () => {
    throw protocolErrorOf(error, language);
  };
  return server;
}

/** Whether one of the messages of a body calls a tool. */
export function callsTool(body: unknown): boolean {
  return [body].flat().some(isToolCall);
}

function isToolCall(message: unknown): boolean {
  return isJsonObject(message) && message.method === 'tools/call';
}
