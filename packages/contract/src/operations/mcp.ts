import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { McpRequest, McpResponse } from '../schemas/mcp.ts';

export const callMcp = defineOperation({
  id: 'callMcp',
  method: 'POST',
  path: '/mcp',
  tag: 'tools',
  summary: 'Call an action as a tool',
  description:
    'JSON-RPC 2.0, Model Context Protocol 2026-07-28 and 2025-11-25 or older, without sessions. `tools/call` submits a job and waits for its end: at most 50 seconds, then the answer names the job. The answer is JSON, or an event stream where `Accept` asks for one. What is not JSON-RPC is 400 with a JSON-RPC error whose id is null; refusals before that (key, environment, media type) are errors as everywhere.',
  may: { client: true },
  scope: 'jobs:read',
  environment: 'required',
  idempotencyKey: 'optional',
  requestHeaders: {
    Accept: '`application/json`, `text/event-stream` or both',
    'X-Sandbox-Outcome': 'Sandbox only: the end state to play (addition)',
    'X-Mcp-Toolsets':
      'Shows fewer actions as tools: names of toolsets, separated by commas, or `none`. Without it, all (addition)',
  },
  body: Type.Union([McpRequest, Type.Array(McpRequest, { minItems: 1 })]),
  responses: {
    200: {
      description: 'The response, or the stream; an array for a batch',
      schema: Type.Union([McpResponse, Type.Array(McpResponse)]),
      streamType: 'text/event-stream',
    },
    202: { description: 'Notifications only; there is no response' },
  },
  errors: [],
  errorSchemas: { 400: McpResponse },
});
