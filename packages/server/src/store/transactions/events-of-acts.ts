import {
  type AuditAct,
  INVOICE_STATUSES,
  type InvoiceEvent,
  type KeyEvent,
  type MemberEvent,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  UNLINK_REASONS,
  WEBHOOK_DISABLED_REASONS,
} from '@changgu/contract';
import type { Act } from './act.ts';
import type { EventFacts, NewEvent, TypedData } from './append-event.ts';

type ActDetail = NonNullable<Act['details']>[string] | undefined;
type OfAct = Omit<EventFacts, 'organizationId'> & TypedData;
type Build = (act: Act, target: string) => OfAct | readonly OfAct[];

const ofKey =
  (type: KeyEvent['type'], subject: string): Build =>
  (_act, target) => ({ envScope: null, type, subject: { [subject]: target }, data: {} });

const INVOICE_MOVES: Readonly<Record<string, InvoiceEvent['type']>> = {
  OPEN: 'invoice.issued',
  PAID: 'invoice.paid',
  VOID: 'invoice.voided',
  UNCOLLECTIBLE: 'invoice.uncollectible',
  REFUNDED: 'invoice.refunded',
  PARTIALLY_REFUNDED: 'invoice.refunded',
};

/** The events that an audited act becomes for the organization concerned. */
const EVENTS: Readonly<Partial<Record<AuditAct, Build>>> = {
  'app_credential.issue': ofKey('key.issued', 'client_id'),
  'app_credential.revoke': ofKey('key.revoked', 'client_id'),
  'legacy_api_key.issue': ofKey('key.issued', 'legacy_api_key_id'),
  'legacy_api_key.revoke': ofKey('key.revoked', 'legacy_api_key_id'),
  'invitation.create': ({ details }, target) => ({
    envScope: null,
    type: 'member.invited',
    subject: { invitation_id: target },
    data: { role: roleOf(details?.role) },
  }),
  'member.join': ({ details }, target) => ({
    ...ofMember('member.joined', Number(details?.user_id), roleOf(details?.role)),
    subject: { user_id: Number(details?.user_id), invitation_id: target },
  }),
  'member.set': ({ details }, target) => {
    const type = details?.from_role === undefined ? 'member.joined' : 'member.role_changed';
    return ofMember(type, Number(target), roleOf(details?.role));
  },
  'organization.hand_over': ({ details }, target) => [
    ofMember('member.role_changed', Number(target), 'OWNER'),
    ofMember('member.role_changed', Number(details?.from_user_id), 'ADMIN'),
  ],
  'member.leave': ({ details }, target) =>
    ofMember('member.removed', Number(target), roleOf(details?.role)),
  'member.remove': ({ details }, target) =>
    ofMember('member.removed', Number(target), roleOf(details?.role)),
  'account_link.unlink': ({ details }, target) => ({
    envScope: null,
    type: 'link.unlinked',
    accountLinkId: target,
    data: {
      provider: String(details?.provider),
      reason: knownOf(UNLINK_REASONS, details?.reason),
    },
  }),
  'webhook.disable': ({ details }, target) => ({
    envScope: null,
    type: 'webhook.disabled',
    subject: { webhook_id: target },
    data: { reason: knownOf(WEBHOOK_DISABLED_REASONS, details?.reason) },
  }),
  'invoice.draft': invoice('invoice.drafted'),
  'invoice.record': invoice('invoice.drafted'),
  'invoice.move': (act, target) => {
    const type = INVOICE_MOVES[String(act.details?.to)] ?? 'invoice.issued';
    return invoice(type)(act, target);
  },
};

function ofMember(type: MemberEvent['type'], userId: number, role: OrganizationRole): OfAct {
  return { envScope: null, type, subject: { user_id: userId }, data: { role } };
}

const roleOf = (detail: ActDetail) => knownOf(ORGANIZATION_ROLES, detail);

/** A detail that every act of its kind has. @throws Error for any other value */
function knownOf<const V extends string>(values: readonly V[], detail: ActDetail): V {
  const known = values.find((value) => value === detail);
  if (known === undefined) throw new Error(`an act says ${detail}, not ${values.join(' or ')}`);
  return known;
}

function invoice(type: InvoiceEvent['type']): (act: Act, target: string) => OfAct {
  return ({ details }, target) => ({
    envScope: null,
    type,
    subject: { invoice_number: target },
    data: details?.to === undefined ? {} : { status: knownOf(INVOICE_STATUSES, details.to) },
  });
}

/** None for acts without an organization, and for those that are not events. */
export function eventsOfAct(act: Act): readonly NewEvent[] {
  const { organizationId } = act;
  const build = EVENTS[act.act];
  if (build === undefined || organizationId === null || act.target === undefined) return [];
  return [build(act, act.target)].flat().map((event) => ({ organizationId, ...event }));
}
