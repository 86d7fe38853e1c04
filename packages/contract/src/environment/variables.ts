import { CLIENT_VARIABLES } from './client-variables.ts';
import { SERVER_VARIABLES } from './server-variables.ts';

export type { AnyVariable, Program } from './define-variable.ts';

/** Every environment variable of server, SDK, CLI and MCP bridge, once. */
export const VARIABLES = {
  ...SERVER_VARIABLES,
  ...CLIENT_VARIABLES,
} as const;

export type VariableKey = keyof typeof VARIABLES;
