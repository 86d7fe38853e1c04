import { type Static, Type } from 'typebox';
import { ErrorField } from './error.ts';
import { addition, JsonObject, nullable, strict } from './vocabulary.ts';

const RequestId = { anyOf: [{ type: 'string' }, { type: 'integer' }] };

/** A JSON-RPC 2.0 request, or a notification where there is no `id`. */
export const McpRequest = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Unsafe<string | number>(RequestId)),
    method: Type.String({ examples: ['tools/call'] }),
    params: Type.Optional(JsonObject),
  },
  { $id: 'McpRequest', ...strict },
);
export type McpRequest = Static<typeof McpRequest>;

const envelope = {
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe<string | number | null>({
    anyOf: [...RequestId.anyOf, { type: 'null' }],
    description: 'Id of the request; null when the request could not be parsed',
  }),
};

/** What `error.data` may hold. */
export const McpErrorData = Type.Object(
  {
    reason: Type.Optional(Type.String()),
    error_code: Type.Optional(Type.String({ description: 'Error code of this service' })),
    safe_to_retry: Type.Optional(Type.Boolean()),
    next_action: Type.Optional(nullable(Type.String({ description: 'What to do next' }))),
    next_step: Type.Optional(
      Type.Object(
        { tool: Type.String(), arguments: JsonObject },
        { description: 'The tool call to make', ...strict },
      ),
    ),
    fields: Type.Optional(
      addition(
        Type.Array(ErrorField, { description: 'What is wrong with the headers or the message' }),
      ),
    ),
  },
  { $id: 'McpErrorData' },
);
export type McpErrorData = Static<typeof McpErrorData>;

/** Exactly one of `result` and `error`. */
export const McpResponse = Type.Union(
  [
    Type.Object({ ...envelope, result: JsonObject }, strict),
    Type.Object(
      {
        ...envelope,
        error: Type.Object(
          {
            code: Type.Integer({ examples: [-32001] }),
            message: Type.String({ description: 'Message, in Korean by default' }),
            data: Type.Optional(McpErrorData),
          },
          strict,
        ),
      },
      strict,
    ),
  ],
  { $id: 'McpResponse' },
);
export type McpResponse = Static<typeof McpResponse>;
