import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import type { IntrospectionResponse } from 'openid-client';

export const DEFAULT_SCOPES = ['jobs:read', 'jobs:submit', 'links:read'] as const;
export const SCOPES = [...DEFAULT_SCOPES, 'jobs:irreversible'] as const;
/** Without it, nothing here can be used. */
export const MIN_SCOPE = ['jobs:read'] as const;

/** A caller of the bridge, as described by the authorization server. */
export type CallerToken = AuthInfo;

/** The bridge's own environment and organization: its key acts, so no outsider may call it. */
export interface Expected {
  readonly organizationId: number;
  readonly envScope: string;
}

/** @throws OAuthError invalid_token: expired, revoked, or approved for another organization or environment */
export function callerOf(
  token: string,
  answer: IntrospectionResponse,
  { organizationId, envScope }: Expected,
): CallerToken {
  if (!answer.active) throw refused('The token is unknown or has ended');
  if (answer.organization_id !== organizationId) {
    throw refused('The token is for another organization');
  }
  if (!listOf(answer.allowed_env_scopes).includes(envScope)) {
    throw refused(`The token is not for the environment ${envScope}`);
  }
  const [audience] = [answer.aud].flat();
  const resource = URL.parse(audience ?? '');
  const { allowed_actions: actions } = answer;
  return {
    token,
    clientId: String(answer.client_id),
    scopes: (answer.scope ?? '').split(' ').filter((scope) => scope !== ''),
    ...(answer.exp === undefined ? {} : { expiresAt: answer.exp }),
    ...(resource === null ? {} : { resource }),
    extra: {
      subject: answer.sub ?? '',
      allowedActions: Array.isArray(actions) ? listOf(actions) : null,
    },
  };
}

function refused(why: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, why);
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
