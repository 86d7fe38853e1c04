import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import { EnvAccessRecord, IntegratorApplicationRecord } from '../schemas/account.ts';
import {
  AdminEnvAccessListResponse,
  AdminIntegratorListResponse,
  DecisionRequest,
  LegacyApiKeyIssueRequest,
  LegacyApiKeyIssueResponse,
  LegacyApiKeyListResponse,
  LegacyApiKeyRecord,
  LegacyApiKeyRotateRequest,
  LegacyApiKeyRotateResponse,
  MemberRecord,
  MemberRequest,
  OrganizationListResponse,
  SubscriptionRecord,
  SubscriptionRequest,
} from '../schemas/admin.ts';
import { AuditListResponse, auditFilters } from '../schemas/audit.ts';
import { numberedPage } from '../schemas/paging.ts';
import {
  ServiceStateResponse,
  SimulatorListResponse,
  SimulatorRecord,
  SimulatorStateRequest,
} from '../schemas/service-state.ts';
import { oneOf, strict } from '../schemas/vocabulary.ts';

const adminOnly = { admin_user: true } as const;
const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });
const OrganizationPath = Type.Object({ organization_id: Id });

export const listEnvAccessForAdmin = defineOperation({
  id: 'listEnvAccessForAdmin',
  method: 'GET',
  path: '/v1/admin/env-access-requests',
  tag: 'admin',
  summary: 'List environment-access requests of all organizations, at most 100',
  description:
    'Newest first. With `status=PENDING`, the 100 that have waited longest, oldest first.',
  may: adminOnly,
  environment: 'none',
  query: Type.Object({ status: Type.Optional(oneOf(['PENDING', 'APPROVED', 'REJECTED'])) }, strict),
  responses: { 200: { description: 'The requests', schema: AdminEnvAccessListResponse } },
  errors: [],
  addition: true,
});

export const decideEnvAccess = defineOperation({
  id: 'decideEnvAccess',
  method: 'POST',
  path: '/v1/admin/env-access-requests/{request_id}/decision',
  tag: 'admin',
  summary: 'Approve or reject an environment-access request',
  may: adminOnly,
  environment: 'none',
  params: Type.Object({ request_id: Id }),
  body: DecisionRequest,
  responses: { 200: { description: 'The request', schema: EnvAccessRecord } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const listIntegratorApplicationsForAdmin = defineOperation({
  id: 'listIntegratorApplicationsForAdmin',
  method: 'GET',
  path: '/v1/admin/integrator-applications',
  tag: 'admin',
  summary: 'List integrator applications of all organizations, at most 100',
  description:
    'Newest first. With `status=SUBMITTED`, the 100 that have waited longest, oldest first.',
  may: adminOnly,
  environment: 'none',
  query: Type.Object(
    { status: Type.Optional(oneOf(['SUBMITTED', 'APPROVED', 'REJECTED'])) },
    strict,
  ),
  responses: { 200: { description: 'The applications', schema: AdminIntegratorListResponse } },
  errors: [],
  addition: true,
});

export const decideIntegratorApplication = defineOperation({
  id: 'decideIntegratorApplication',
  method: 'POST',
  path: '/v1/admin/integrator-applications/{application_id}/decision',
  tag: 'admin',
  summary: 'Approve or reject an integrator application',
  may: adminOnly,
  environment: 'none',
  params: Type.Object({ application_id: Id }),
  body: DecisionRequest,
  responses: { 200: { description: 'The application', schema: IntegratorApplicationRecord } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const listOrganizations = defineOperation({
  id: 'listOrganizations',
  method: 'GET',
  path: '/v1/admin/organizations',
  tag: 'admin',
  summary: 'List the organizations, newest first',
  may: adminOnly,
  environment: 'none',
  query: Type.Object(
    {
      text: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Part of the name' }),
      ),
      ...numberedPage,
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: OrganizationListResponse } },
  errors: [],
  addition: true,
});

export const setSubscription = defineOperation({
  id: 'setSubscription',
  method: 'POST',
  path: '/v1/admin/organizations/{organization_id}/subscription',
  tag: 'admin',
  summary: 'Subscribe an organization to a plan, or change the state of its subscription',
  description:
    'Setting an active subscription to active again renews it for one more month after its period; repeating the call does not add another. Without renewal it expires at the end of its period.',
  may: adminOnly,
  environment: 'none',
  params: OrganizationPath,
  body: SubscriptionRequest,
  responses: { 200: { description: 'The subscription', schema: SubscriptionRecord } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const addMember = defineOperation({
  id: 'addMember',
  method: 'POST',
  path: '/v1/admin/organizations/{organization_id}/members',
  tag: 'admin',
  summary: 'Add a registered user to an organization, or change their role',
  description:
    'A user belongs to one organization. A user who moves from another must be its only member, and it must have no key, no link, no open subscription and no unfinished job.',
  may: adminOnly,
  environment: 'none',
  params: OrganizationPath,
  body: MemberRequest,
  responses: { 200: { description: 'The member', schema: MemberRecord } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const issueLegacyApiKey = defineOperation({
  id: 'issueLegacyApiKey',
  method: 'POST',
  path: '/v1/admin/legacy-api-keys',
  tag: 'admin',
  summary: 'Issue an x-api-key for one organization and one environment',
  may: adminOnly,
  environment: 'none',
  body: LegacyApiKeyIssueRequest,
  responses: { 201: { description: 'The key', schema: LegacyApiKeyIssueResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const listLegacyApiKeys = defineOperation({
  id: 'listLegacyApiKeys',
  method: 'GET',
  path: '/v1/admin/legacy-api-keys',
  tag: 'admin',
  summary: 'List the x-api-keys of an organization, newest first',
  may: adminOnly,
  environment: 'none',
  query: Type.Object({ organization_id: Id }, strict),
  responses: { 200: { description: 'The keys', schema: LegacyApiKeyListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const rotateLegacyApiKey = defineOperation({
  id: 'rotateLegacyApiKey',
  method: 'POST',
  path: '/v1/admin/legacy-api-keys/{key_id}/rotate',
  tag: 'admin',
  summary: 'Replace an x-api-key; the old one still works for a while',
  description:
    'For `overlap_hours` both keys work. Rotating again ends the older one of them at once.',
  may: adminOnly,
  environment: 'none',
  params: Type.Object({ key_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: LegacyApiKeyRotateRequest,
  bodyRequired: false,
  responses: { 200: { description: 'The new key', schema: LegacyApiKeyRotateResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const revokeLegacyApiKey = defineOperation({
  id: 'revokeLegacyApiKey',
  method: 'POST',
  path: '/v1/admin/legacy-api-keys/{key_id}/revoke',
  tag: 'admin',
  summary: 'Revoke an x-api-key',
  may: adminOnly,
  environment: 'none',
  params: Type.Object({ key_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'The key', schema: LegacyApiKeyRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const listAudit = defineOperation({
  id: 'listAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  tag: 'admin',
  summary: 'List audit records, newest first',
  may: adminOnly,
  environment: 'none',
  query: Type.Object(
    {
      organization_id: Type.Optional(Id),
      ...auditFilters,
      ...numberedPage,
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: AuditListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const readServiceState = defineOperation({
  id: 'readServiceState',
  method: 'GET',
  path: '/v1/admin/service-state',
  tag: 'admin',
  summary: 'Get what waits and runs at each institution, and the state of its circuit breaker',
  may: adminOnly,
  environment: 'none',
  responses: { 200: { description: 'The state', schema: ServiceStateResponse } },
  errors: [],
  addition: true,
});

export const listSimulators = defineOperation({
  id: 'listSimulators',
  method: 'GET',
  path: '/v1/admin/simulators',
  tag: 'admin',
  summary: 'List the simulated institutions with their states (dev mode only)',
  may: adminOnly,
  environment: 'none',
  responses: { 200: { description: 'The simulators', schema: SimulatorListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const setSimulatorState = defineOperation({
  id: 'setSimulatorState',
  method: 'PUT',
  path: '/v1/admin/simulators/{provider}',
  tag: 'admin',
  summary: 'Let a simulated institution answer, fail or stay away (dev mode only)',
  may: adminOnly,
  environment: 'none',
  params: Type.Object({ provider: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: SimulatorStateRequest,
  responses: { 200: { description: 'The simulator', schema: SimulatorRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});
