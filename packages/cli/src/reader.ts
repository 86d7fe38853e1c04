import type { Changgu } from '@changgu/sdk';

/** The part of the SDK's client that changes nothing: all that a reading command gets. */
export interface Reader {
  readonly jobs: Pick<
    Changgu['jobs'],
    'get' | 'list' | 'each' | 'result' | 'resume' | 'timeline' | 'validate'
  >;
  readonly artifacts: Changgu['artifacts'];
  readonly account: Pick<Changgu['account'], 'listSessions'>;
  readonly factors: Pick<Changgu['factors'], 'list'>;
  readonly members: Pick<Changgu['members'], 'list' | 'listInvitations'>;
  readonly appCredentials: Pick<Changgu['appCredentials'], 'list'>;
  readonly credentials: Pick<Changgu['credentials'], 'get' | 'list'> & {
    readonly bankAccounts: Pick<Changgu['credentials']['bankAccounts'], 'get' | 'list'>;
  };
  readonly membership: Changgu['membership'];
  readonly encryptionKeys: Changgu['encryptionKeys'];
  readonly audit: Changgu['audit'];
  readonly events: Changgu['events'];
  readonly receipts: Changgu['receipts'];
  readonly webhooks: Pick<Changgu['webhooks'], 'get' | 'list' | 'deliveries' | 'eachDelivery'>;
  readonly products: Pick<Changgu['products'], 'each'>;
  readonly billing: Pick<Changgu['billing'], 'eachInvoice'>;
  readonly system: Pick<Changgu['system'], 'health'>;
  readonly ownInstitutions: Changgu['ownInstitutions'];
  readonly request: Changgu['request'];
}
