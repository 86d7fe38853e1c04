import { type Static, type TSchema, Type } from 'typebox';
import type { EventType } from '../events.ts';
import { ORGANIZATION_ROLES } from '../principals.ts';
import { INVOICE_STATUSES } from '../values/invoice-statuses.ts';
import { END_STATES, JOB_STATES } from '../values/job-states.ts';
import { UNLINK_REASONS } from '../values/unlink-reasons.ts';
import { WEBHOOK_DISABLED_REASONS } from '../webhooks.ts';
import { EnvScope, JobId, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

export const EventId = Type.String({
  pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'evt_ and 26 characters; a later event has a greater id',
});

const SUBJECT = {
  job_id: Type.Optional(JobId),
  account_link_id: Type.Optional(Type.String()),
  bank_account_credential_id: Type.Optional(Type.String()),
  idempotency_key: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  legacy_api_key_id: Type.Optional(Type.String()),
  invoice_number: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.Integer()),
  invitation_id: Type.Optional(Type.String()),
  webhook_id: Type.Optional(Type.String()),
};
const described = { ...strict, description: 'What it is about' };

export const EventSubject = Type.Object(SUBJECT, { $id: 'EventSubject', ...described });
export const JobEventSubject = Type.Object(
  { ...SUBJECT, job_id: JobId },
  { $id: 'JobEventSubject', ...described },
);
export const LinkEventSubject = Type.Object(
  { ...SUBJECT, account_link_id: Type.String() },
  { $id: 'LinkEventSubject', ...described },
);

/** Events of these types, which have the same data. */
function eventOf<
  const T extends readonly EventType[],
  S extends TSchema,
  D extends Record<string, TSchema>,
>($id: string, types: T, subject: S, data: D) {
  const schema = Type.Object(
    {
      event_id: EventId,
      type: oneOf(types, { description: 'What has happened' }),
      env_scope: nullable(EnvScope),
      occurred_at: KstTime,
      subject,
      data: Type.Object(data, { ...strict, description: 'States, times and counts' }),
    },
    { $id, ...strict },
  );
  return { schema, reference: `#/components/schemas/${$id}`, types };
}

const Action = Type.String({ description: 'Action id, e.g. bank_a.accounts.list' });
const ExpiresAt = Type.String({ ...KstTime, description: 'When it expires, in Korean time' });
const Provider = Type.String({ description: 'Institution id, e.g. bank_a' });
const statusOf = <const V extends readonly string[]>(states: V) =>
  oneOf(states, { description: 'State of the job' });
const jobsIn = (state: string) =>
  Type.Optional(Type.Integer({ minimum: 1, description: `Jobs of the call that ended ${state}` }));

const EVENTS = [
  eventOf('JobQueuedEvent', ['job.queued'], JobEventSubject, {
    status: statusOf(['QUEUED']),
    action: Action,
  }),
  eventOf('JobStartedEvent', ['job.started'], JobEventSubject, {
    status: statusOf(['RUNNING']),
    action: Action,
  }),
  eventOf('JobProgressedEvent', ['job.progressed'], JobEventSubject, {
    status: statusOf(['RUNNING']),
    action: Action,
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent done' }),
  }),
  eventOf('JobInputRequiredEvent', ['job.input_required'], JobEventSubject, {
    status: statusOf(JOB_STATES),
    action: Action,
  }),
  eventOf('JobFinishedEvent', ['job.finished'], JobEventSubject, {
    status: statusOf(END_STATES),
    action: Action,
    error_code: Type.Optional(Type.String({ description: 'Why it failed, from the error table' })),
  }),
  eventOf('AllAccountsFinishedEvent', ['all_accounts.finished'], EventSubject, {
    succeeded: jobsIn('SUCCEEDED'),
    failed: jobsIn('FAILED'),
    timeout: jobsIn('TIMEOUT'),
    canceled: jobsIn('CANCELED'),
  }),
  eventOf('ArtifactExpiringEvent', ['artifact.expiring'], JobEventSubject, {
    artifacts: Type.Integer({ minimum: 1, description: 'How many files of the job expire' }),
    expires_at: ExpiresAt,
  }),
  eventOf('LinkSuspendedEvent', ['link.suspended'], LinkEventSubject, {
    provider: Provider,
    code: Type.String({ description: 'Why, from the error table' }),
  }),
  eventOf('LinkUnlinkedEvent', ['link.unlinked'], LinkEventSubject, {
    provider: Provider,
    reason: oneOf(UNLINK_REASONS, { description: 'Why the link was removed' }),
  }),
  eventOf('LinkExpiringEvent', ['link.expiring'], LinkEventSubject, {
    provider: Provider,
    expires_at: ExpiresAt,
  }),
  eventOf('QuotaLowEvent', ['quota.low'], EventSubject, {
    period: Type.String({ description: 'The day, month or billing period, e.g. day:2026-11-21' }),
    used: Type.Integer({ minimum: 0, description: 'Usage tokens used in the period' }),
    limit: Type.Integer({ minimum: 0, description: 'Usage tokens that the period has' }),
  }),
  eventOf(
    'InvoiceEvent',
    [
      'invoice.drafted',
      'invoice.issued',
      'invoice.paid',
      'invoice.voided',
      'invoice.uncollectible',
      'invoice.refunded',
    ],
    EventSubject,
    {
      status: Type.Optional(
        oneOf(INVOICE_STATUSES, { description: 'State of the invoice; absent when drafted' }),
      ),
    },
  ),
  eventOf(
    'MemberEvent',
    ['member.invited', 'member.joined', 'member.role_changed', 'member.removed'],
    EventSubject,
    { role: oneOf(ORGANIZATION_ROLES, { description: 'Role in the organization' }) },
  ),
  eventOf('KeyEvent', ['key.issued', 'key.revoked'], EventSubject, {}),
  eventOf('WebhookDisabledEvent', ['webhook.disabled'], EventSubject, {
    reason: oneOf(WEBHOOK_DISABLED_REASONS, { description: 'Why the endpoint was disabled' }),
  }),
  eventOf('WebhookTestEvent', ['webhook.test'], EventSubject, {}),
] as const;

/** What has happened: ids, states, times and counts. `type` decides what `data` holds. */
export const EventRecord = Type.Unsafe<Static<(typeof EVENTS)[number]['schema']>>({
  $id: 'EventRecord',
  description: 'What has happened: `type` decides what `data` holds',
  type: 'object',
  oneOf: EVENTS.map(({ schema }) => schema),
  discriminator: {
    propertyName: 'type',
    // Several types can have one schema, so the names of the schemas cannot be the values.
    mapping: Object.fromEntries(
      EVENTS.flatMap(({ types, reference }) => types.map((type) => [type, reference])),
    ),
  },
});
export type EventRecord = Static<typeof EventRecord>;

export const EventListResponse = Type.Object(
  {
    items: Type.Array(EventRecord, { description: 'Newest last' }),
    next_cursor: nullable(Type.String({ description: 'Null when there is nothing newer' })),
  },
  { $id: 'EventListResponse', ...strict },
);
export type EventListResponse = Static<typeof EventListResponse>;
