import { defineOperation } from '../define-operation.ts';
import { MembershipResponse } from '../schemas/membership.ts';

export const readMembership = defineOperation({
  id: 'readMembership',
  method: 'GET',
  path: '/v1/membership/me',
  tag: 'membership',
  summary: 'Read who you are, your plan, and what is left of quota and rate',
  description: 'Consumes one token of the process rate limit and no quota.',
  may: { client: true, console_user: 'MEMBER', admin_user: true, legacy_api_key: true },
  environment: 'client',
  responses: { 200: { description: 'The membership', schema: MembershipResponse } },
  errors: ['POLICY_ENV_NOT_ALLOWED'],
});
