import { createStreamPlaces } from '../events/stream-places.ts';
import type { ServiceError } from '../rules/service-error.ts';
import type { Caller } from './caller.ts';
import { answerExchange, type Era } from './exchange.ts';
import { isListening, openJobChanges } from './job-changes.ts';
import { rpcErrorResponse } from './json-rpc.ts';
import { callsTool, limitedServer } from './limited-server.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { protocolError } from './protocol-messages.ts';
import type { LimitedRequest, McpService } from './route.ts';
import { assertScopes } from './step-up.ts';
import { createToolServer } from './tool-server.ts';
import { protocolErrorOf } from './tools/tool-errors.ts';
import { createToolList } from './tools/tool-list.ts';

/** POST /mcp of the service: the catalog's actions as tools. */
export function createMcpService(dependencies: McpDependencies): McpService {
  const tools = createToolList(dependencies.institutions);
  const places = createStreamPlaces();
  return {
    refuse,
    limit,
    answer: async (request) => {
      const { caller, body } = request;
      assertScopes(dependencies, caller, body);
      const exchange = {
        ...request,
        language: caller.language,
        stopWaiting: caller.stopWaiting,
        createServer: (era: Era) => createToolServer(dependencies, tools, caller, era),
      };
      if (!isListening(body)) return answerExchange(exchange);
      const { bus, ended, settle } = openJobChanges(dependencies, places, caller);
      const stopWaiting = AbortSignal.any([caller.stopWaiting, ended]);
      return answerExchange({ ...exchange, bus, stopWaiting }).finally(settle);
    },
  };
}

/** Refuses a caller with too many calls, in the form that each message of the body needs. */
export async function limit(error: ServiceError, request: LimitedRequest): Promise<Response> {
  const { body, language, gone } = request;
  if (!callsTool(body)) return refuse(error, body, { language });
  const createServer = () => limitedServer(error, language);
  return answerExchange({ ...request, stopWaiting: gone, createServer });
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** A refusal before any message is looked at, as JSON-RPC. */
export function refuse(
  error: ServiceError,
  body: unknown,
  { language }: Pick<Caller, 'language'>,
): Response {
  const { code, message, data } = protocolErrorOf(error, language);
  if (error.code !== 'VALIDATION_INVALID_FIELD') {
    return rpcErrorResponse(200, body, { code, message, data });
  }
  const isBroken = error.details.fields?.some(({ type }) => type === 'json_invalid') ?? false;
  if (isBroken) {
    return rpcErrorResponse(400, null, protocolError(PARSE_ERROR, 'Parse error', language));
  }
  return rpcErrorResponse(400, body, { code: INVALID_REQUEST, message, data });
}
