import { LIMITS } from '@changgu/contract';
import { invalidShape } from '../service-error.ts';
import { walkJson } from './walk-json.ts';

/**
 * Params are stored with the job and processed by every check: one request must not cost as much as a thousand.
 * @throws ServiceError 422
 */
export function assertParamsSize(params: Readonly<Record<string, unknown>>): void {
  let nodes = 0;
  walkJson(params, () => {
    nodes += 1;
    if (nodes > LIMITS.paramsNodes) {
      throw tooLarge(`At most ${LIMITS.paramsNodes} members and elements are allowed`);
    }
  });
  if (Buffer.byteLength(JSON.stringify(params)) > LIMITS.paramsBytes) {
    throw tooLarge(`At most ${LIMITS.paramsBytes} bytes of JSON are allowed`);
  }
}

function tooLarge(msg: string) {
  return invalidShape([{ loc: ['body', 'params'], msg, type: 'too_long' }]);
}
