import { Readable } from 'node:stream';
import { codesOf, type Operation } from '@changgu/contract/schemas';
import { ServiceError } from '../rules/service-error.ts';
import { shapeCheck } from '../validation/shape-check.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** For tests: the handler, failing where an answer or a refusal is not as the operation's document says. */
export function checked<Request, A extends Answer>(
  operation: Operation,
  handler: (request: Request) => Promise<A>,
): (request: Request) => Promise<A> {
  const checkAnswer = answerCheck(operation);
  const checkRefusal = refusalCheck(operation);
  return async (request) => {
    const answer = await handler(request).catch((error: unknown) => {
      checkRefusal(error);
      throw error;
    });
    checkAnswer(answer);
    return answer;
  };
}

/** Each schema is compiled once. */
function answerCheck({ id, responses }: Operation): (answer: Answer) => void {
  const checks = new Map(
    Object.entries(responses).map(([status, { schema }]) => [
      Number(status),
      schema ? shapeCheck(schema, ['answer']) : () => [],
    ]),
  );
  return ({ status, body }) => {
    if (body instanceof Readable) return;
    const check = checks.get(status);
    if (check === undefined) throw new Error(`${id} does not declare status ${status}`);
    const departures = check(body);
    if (departures.length > 0) throw new Error(`${id} ${status}: ${JSON.stringify(departures)}`);
  };
}

function refusalCheck(operation: Operation): (error: unknown) => void {
  const codes = codesOf(operation);
  return (error) => {
    if (!(error instanceof ServiceError) || codes.includes(error.code)) return;
    throw new Error(`${operation.id} does not declare ${error.code}`, { cause: error });
  };
}
