import type { EventType } from '@changgu/contract';
import type { Act } from './act.ts';
import type { NewEvent } from './append-event.ts';

type ActDetail = NonNullable<Act['details']>[string] | undefined;
type Build = (act: Act, target: string) => Omit<NewEvent, 'organizationId'>;

const ofKey =
  (type: EventType, subject: string): Build =>
  (_act, target) => ({ envScope: null, type, subject: { [subject]: target } });

const INVOICE_MOVES: Readonly<Record<string, EventType>> = {
  OPEN: 'invoice.issued',
  PAID: 'invoice.paid',
  VOID: 'invoice.voided',
  UNCOLLECTIBLE: 'invoice.uncollectible',
  REFUNDED: 'invoice.refunded',
  PARTIALLY_REFUNDED: 'invoice.refunded',
};

/** The event that an audited act becomes for the organization concerned. */
const EVENTS: Readonly<Record<string, Build>> = {
  'app_credential.issue': ofKey('key.issued', 'client_id'),
  'app_credential.revoke': ofKey('key.revoked', 'client_id'),
  'legacy_api_key.issue': ofKey('key.issued', 'legacy_api_key_id'),
  'legacy_api_key.revoke': ofKey('key.revoked', 'legacy_api_key_id'),
  'invitation.create': ({ details }, target) => ({
    envScope: null,
    type: 'member.invited',
    subject: { invitation_id: target },
    data: { role: details?.role ?? null },
  }),
  'member.join': ({ details }, target) => ({
    ...ofMember('member.joined', Number(details?.user_id), details?.role),
    subject: { user_id: Number(details?.user_id), invitation_id: target },
  }),
  'member.set': ({ details }, target) => {
    const type = details?.from_role === undefined ? 'member.joined' : 'member.role_changed';
    return ofMember(type, Number(target), details?.role);
  },
  'organization.hand_over': (_act, target) =>
    ofMember('member.role_changed', Number(target), 'OWNER'),
  'member.leave': ({ details }, target) =>
    ofMember('member.removed', Number(target), details?.role),
  'member.remove': ({ details }, target) =>
    ofMember('member.removed', Number(target), details?.role),
  'account_link.unlink': ({ details }, target) => ({
    envScope: null,
    type: 'link.unlinked',
    accountLinkId: target,
    data: { provider: details?.provider ?? null, reason: details?.reason ?? null },
  }),
  'webhook.disable': ({ details }, target) => ({
    envScope: null,
    type: 'webhook.disabled',
    subject: { webhook_id: target },
    data: { reason: details?.reason ?? null },
  }),
  'invoice.draft': invoice('invoice.drafted'),
  'invoice.record': invoice('invoice.drafted'),
  'invoice.move': (act, target) => {
    const type = INVOICE_MOVES[String(act.details?.to)] ?? 'invoice.issued';
    return invoice(type)(act, target);
  },
};

function ofMember(
  type: EventType,
  userId: number,
  role: ActDetail,
): Omit<NewEvent, 'organizationId'> {
  return { envScope: null, type, subject: { user_id: userId }, data: { role: role ?? null } };
}

function invoice(type: EventType): Build {
  return ({ details }, target) => ({
    envScope: null,
    type,
    subject: { invoice_number: target },
    data: details?.to === undefined ? {} : { status: details.to },
  });
}

/** Null for acts without an organization, and for those that are not events. */
export function eventOfAct(act: Act): NewEvent | null {
  const build = EVENTS[act.act];
  if (build === undefined || act.organizationId === null || act.target === undefined) return null;
  return { organizationId: act.organizationId, ...build(act, act.target) };
}
