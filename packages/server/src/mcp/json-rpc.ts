import { isJsonObject, type JsonFields } from '@changgu/contract';
import type { RpcError } from './protocol-messages.ts';

/** The id of a request if it can be read; null otherwise. */
export function rpcIdOf(message: unknown): string | number | null {
  const id = isJsonObject(message) ? message.id : null;
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
}

/** A request, a notification, or a response of the other side. */
export function isRpcMessage(message: unknown): message is JsonFields {
  if (!isJsonObject(message) || message.jsonrpc !== '2.0') return false;
  const { id, method, params } = message;
  if (method === undefined) return 'result' in message || 'error' in message;
  const hasId = id === undefined || typeof id === 'string' || Number.isInteger(id);
  return typeof method === 'string' && hasId && (params === undefined || isJsonObject(params));
}

export function rpcErrorResponse(status: number, message: unknown, error: RpcError): Response {
  return Response.json({ jsonrpc: '2.0', id: rpcIdOf(message), error }, { status });
}
