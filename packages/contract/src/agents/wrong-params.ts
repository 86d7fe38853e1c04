import { isJsonObject } from '../json-object.ts';

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** An error of a JSON-RPC answer. */
interface RpcError {
  readonly code: number;
  readonly message: string;
}

/**
 * The MCP library calls params of the wrong shape an internal error, which tells a client to try again and an operator
 * to look for a fault. Its message is then the list of what is wrong, and the code becomes that of invalid params.
 */
export function blamingParams<Sent extends RpcError>(error: Sent): Sent {
  return isShapeError(error) ? { ...error, code: INVALID_PARAMS } : error;
}

function isShapeError({ code, message }: RpcError): boolean {
  if (code !== INTERNAL_ERROR || !message.startsWith('[')) return false;
  try {
    const issues: unknown = JSON.parse(message);
    return Array.isArray(issues) && issues.every((issue) => isJsonObject(issue) && 'path' in issue);
  } catch {
    return false;
  }
}
