import type { AccountLinkTables } from './schema/account-links.ts';
import type { ArtifactTables } from './schema/artifacts.ts';
import type { JobTables } from './schema/jobs.ts';
import type { OrganizationTables } from './schema/organizations.ts';
import type { SettingTables } from './schema/settings.ts';

/** Every table, as Kysely sees it. Times are integer milliseconds, JSON is text, sealed values are bytes. */
export interface Database
  extends SettingTables,
    JobTables,
    ArtifactTables,
    OrganizationTables,
    AccountLinkTables {}
