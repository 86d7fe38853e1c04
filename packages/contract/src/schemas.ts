/** The TypeBox sources: for the server and the generators only, never for a published type. */

export { ACTIONS, INSTITUTIONS } from './actions/index.ts';
export * from './define-action.ts';
export * from './define-operation.ts';
export * from './named-schemas.ts';
export * from './openapi.ts';
export * as operations from './operations/index.ts';
export { OPERATIONS } from './operations/index.ts';
export * from './schemas/account.ts';
export * from './schemas/admin.ts';
export * from './schemas/all-accounts.ts';
export * from './schemas/app-credential.ts';
export * from './schemas/audit.ts';
export * from './schemas/bank-account.ts';
export * from './schemas/billing.ts';
export * from './schemas/catalog.ts';
export * from './schemas/credential.ts';
export * from './schemas/error.ts';
export * from './schemas/event.ts';
export * from './schemas/institution.ts';
export * from './schemas/job.ts';
export * from './schemas/mcp.ts';
export * from './schemas/member.ts';
export * from './schemas/membership.ts';
export * from './schemas/oauth.ts';
export * from './schemas/session.ts';
export * from './schemas/vocabulary.ts';
export * from './to-catalogue.ts';
