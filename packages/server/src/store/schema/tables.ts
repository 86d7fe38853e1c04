import type { AccountLinkTables } from './account-links.ts';
import type { ArtifactTables } from './artifacts.ts';
import type { AuditTables } from './audit.ts';
import type { BillingTables } from './billing.ts';
import type { CatalogTables } from './catalog.ts';
import type { ClientTables } from './clients.ts';
import type { EventTables } from './events.ts';
import type { IdentityTables } from './identities.ts';
import type { JobTables } from './jobs.ts';
import type { KeyTables } from './keys.ts';
import type { OAuthTables } from './oauth.ts';
import type { OrganizationTables } from './organizations.ts';
import type { PeopleTables } from './people.ts';
import type { PortalSessionTables } from './portal-sessions.ts';
import type { ReceiptTables } from './receipts.ts';
import type { RequestTables } from './requests.ts';
import type { SettingTables } from './settings.ts';
import type { StoredByteTables } from './stored-bytes.ts';
import type { WebhookTables } from './webhooks.ts';

/** Every table, as Kysely sees it. Times are integer milliseconds, JSON is text, sealed values are bytes. */
export interface Database
  extends SettingTables,
    JobTables,
    ArtifactTables,
    StoredByteTables,
    EventTables,
    WebhookTables,
    ReceiptTables,
    OrganizationTables,
    AccountLinkTables,
    ClientTables,
    OAuthTables,
    PeopleTables,
    IdentityTables,
    RequestTables,
    KeyTables,
    AuditTables,
    PortalSessionTables,
    CatalogTables,
    BillingTables {}
