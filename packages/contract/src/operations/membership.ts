import { defineOperation } from '../define-operation.ts';
import { MembershipResponse } from '../schemas/membership.ts';

export const readMembership = defineOperation({
  id: 'readMembership',
  method: 'GET',
  path: '/v1/membership/me',
  tag: 'membership',
  summary: 'Get your identity, plan, remaining quota and rate limit',
  description: 'Counts toward the rate limit but not toward the quota.',
  may: { client: true, console_user: 'MEMBER', admin_user: true, legacy_api_key: true },
  scope: 'jobs:read',
  environment: 'client',
  responses: { 200: { description: 'The membership', schema: MembershipResponse } },
  errors: ['POLICY_ENV_NOT_ALLOWED'],
});
