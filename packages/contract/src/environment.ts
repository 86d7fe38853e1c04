/** The environment variables of server, SDK, CLI and MCP bridge: one table and one pure reader. */
export type { DatabaseUrl, Listen, Rate } from './environment/kinds.ts';
export { nearest } from './environment/nearest.ts';
export {
  type Environment,
  type EnvironmentResult,
  readEnvironment,
} from './environment/read-environment.ts';
export {
  type AnyVariable,
  type Program,
  VARIABLES,
  type VariableKey,
} from './environment/variables.ts';
