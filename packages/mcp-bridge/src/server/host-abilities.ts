import {
  CLIENT_CAPABILITIES_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../json-object.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What the host of this request can do beyond calling tools. */
export interface HostAbilities {
  /** Shows a form to its person. Bare `elicitation: {}` means forms; hosts that know URLs only say so. */
  readonly elicitsForms: boolean;
  /** Takes a task for an answer: declared on this very request. */
  readonly takesTasks: boolean;
}

/** Each modern request says what its host can do; an older host said it once, when it connected. */
export function hostAbilities(server: Server, { mcpReq }: ServerContext): HostAbilities {
  const envelope: unknown = mcpReq.envelope;
  const declared = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const known = isJsonObject(declared) ? declared : { ...server.getClientCapabilities() };
  const { elicitation, extensions } = known;
  return {
    elicitsForms:
      isJsonObject(elicitation) &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    // Never by what was said when connecting: a task is only for a request that asks for it.
    takesTasks: isJsonObject(declared) && isJsonObject(extensions) && TASKS_EXTENSION in extensions,
  };
}
