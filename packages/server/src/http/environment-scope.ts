import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import type { Operation } from '@changgu/contract/schemas';
import type { Principal } from '../rules/principals/principal.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';

type Need = Exclude<Operation['environment'], 'none'>;

interface Sent {
  readonly header: string | undefined;
  readonly query: string | undefined;
}

/**
 * The environment of a call. A legacy key is bound to its own.
 * @throws ServiceError 400 when it is missing, unknown, or different in header and query
 */
export function resolveEnvironment(need: Need, sent: Sent, principal: Principal | null): EnvScope {
  const header = known(sent.header, ['header', 'X-Env-Scope']);
  const query = need === 'header_or_query' ? known(sent.query, ['query', 'env_scope']) : null;
  if (header !== null && query !== null && header !== query) {
    throw refused(['query', 'env_scope'], 'X-Env-Scope and env_scope differ', 'value_error');
  }
  const chosen = header ?? query;
  if (principal?.kind === 'legacy_api_key') return boundTo(principal.envScope, chosen);
  if (chosen !== null) return chosen;
  const [only, another] = ofToken(principal);
  if (only !== undefined && another === undefined) return only;
  if (need === 'client' && principal?.kind !== 'client') return 'sandbox';
  throw refused(['header', 'X-Env-Scope'], 'Field required', 'missing');
}

/** The environment that an OAuth token was approved for; if it is the only one, it need not be named again. */
function ofToken(principal: Principal | null): readonly EnvScope[] {
  const isToken = principal?.kind === 'client' && principal.scopes !== null;
  return isToken ? principal.allowedEnvScopes : [];
}

function boundTo(own: EnvScope, chosen: EnvScope | null): EnvScope {
  if (chosen !== null && chosen !== own) throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  return own;
}

function known(value: string | undefined, loc: readonly string[]): EnvScope | null {
  if (value === undefined) return null;
  const scope = ENV_SCOPES.find((each) => each === value);
  if (scope !== undefined) return scope;
  throw refused(loc, "Input should be 'sandbox', 'real_test' or 'production'", 'literal_error');
}

function refused(loc: readonly string[], msg: string, type: string): ServiceError {
  return invalidValue([{ loc, msg, type }]);
}
