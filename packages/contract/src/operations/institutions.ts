import { defineOperation } from '../define-operation.ts';
import { InstitutionListResponse } from '../schemas/institution.ts';

export const listInstitutions = defineOperation({
  id: 'listInstitutions',
  method: 'GET',
  path: '/v1/institutions',
  tag: 'institutions',
  summary: 'List the institutions with their state and actions',
  description:
    'The state reflects the latest jobs in the environment. Jobs for an institution that is DOWN are accepted and wait; `retry_at` is the time of the next attempt.',
  may: { client: true, console_user: 'MEMBER', admin_user: true },
  scope: 'jobs:read',
  environment: 'client',
  responses: {
    200: { description: 'Every institution', schema: InstitutionListResponse },
  },
  errors: [],
  addition: true,
});
