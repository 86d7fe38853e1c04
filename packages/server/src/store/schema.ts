import type { AccountLinkTables } from './schema/account-links.ts';
import type { ArtifactTables } from './schema/artifacts.ts';
import type { AuditTables } from './schema/audit.ts';
import type { BillingTables } from './schema/billing.ts';
import type { CatalogTables } from './schema/catalog.ts';
import type { ClientTables } from './schema/clients.ts';
import type { JobTables } from './schema/jobs.ts';
import type { KeyTables } from './schema/keys.ts';
import type { OrganizationTables } from './schema/organizations.ts';
import type { PeopleTables } from './schema/people.ts';
import type { PortalSessionTables } from './schema/portal-sessions.ts';
import type { RequestTables } from './schema/requests.ts';
import type { SettingTables } from './schema/settings.ts';

/** Every table, as Kysely sees it. Times are integer milliseconds, JSON is text, sealed values are bytes. */
export interface Database
  extends SettingTables,
    JobTables,
    ArtifactTables,
    OrganizationTables,
    AccountLinkTables,
    ClientTables,
    PeopleTables,
    RequestTables,
    KeyTables,
    AuditTables,
    PortalSessionTables,
    CatalogTables,
    BillingTables {}
