import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { AuditListResponse, auditFilters } from '../schemas/audit.ts';
import { numberedPage } from '../schemas/paging.ts';
import { strict } from '../schemas/vocabulary.ts';

const administrators = { console_user: 'ADMIN' } as const;

export const listOwnAudit = defineOperation({
  id: 'listOwnAudit',
  method: 'GET',
  path: '/v1/audit',
  tag: 'audit',
  summary: "List the organization's audit records, newest first",
  description:
    'Logins, key use, jobs, downloads and changes, each with who did it and where from. Records are never changed or removed; each is sealed into a hash chain a moment after it was written.',
  may: administrators,
  environment: 'none',
  query: Type.Object({ ...auditFilters, ...numberedPage }, strict),
  responses: { 200: { description: 'One page', schema: AuditListResponse } },
  errors: [],
  addition: true,
});

export const exportOwnAudit = defineOperation({
  id: 'exportOwnAudit',
  method: 'GET',
  path: '/v1/audit/export',
  tag: 'audit',
  summary: "Export the organization's audit records as JSON lines, newest first",
  description: 'One record per line, in the form that the list has.',
  may: administrators,
  environment: 'none',
  query: Type.Object(auditFilters, strict),
  responses: { 200: { description: 'The records', contentType: 'application/x-ndjson' } },
  errors: [],
  addition: true,
});
