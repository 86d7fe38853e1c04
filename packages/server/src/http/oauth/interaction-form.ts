import { ENV_SCOPES, OAUTH_SCOPES } from '@changgu/contract';
import type { OAuthApproveRequest } from '@changgu/contract/schemas';
import type { PageLogin } from '../../principals/login.ts';
import { invalidValue } from '../../rules/service-error.ts';
import type { Form } from '../pages/form-body.ts';
import { passkeyIn } from '../pages/passkey-field.ts';

/** @throws ServiceError 422 when the passkey field is not the answer of an authenticator */
export function pageLoginOf(form: Form): PageLogin {
  if (form.decision?.[0] === 'passkey') return { by: 'passkey', proof: passkeyIn(form) };
  const { email, password, factor_code: codes } = form;
  const [code] = codes ?? [];
  return {
    by: 'password',
    email: email?.[0] ?? '',
    password: password?.[0] ?? '',
    ...(code === undefined ? {} : { factor_code: code.trim() }),
  };
}

/** @throws ServiceError 400 when a choice is missing */
export function choiceOf(form: Form): OAuthApproveRequest {
  const scopes = chosen(OAUTH_SCOPES, form.scope);
  const envScopes = chosen(ENV_SCOPES, form.env_scope);
  if (scopes.length === 0 || envScopes.length === 0) {
    throw invalidValue([{ loc: ['body'], msg: 'Choose at least one of each', type: 'missing' }]);
  }
  return { organization_id: Number(form.organization_id?.[0]), scopes, env_scopes: envScopes };
}

function chosen<Value extends string>(
  values: readonly Value[],
  sent: readonly string[] | undefined,
): Value[] {
  return values.filter((value) => sent?.includes(value));
}
