import type { Changgu, Clock } from '@changgu/sdk';
import type { Log } from './log.ts';
import type { OfferingSource } from './offering.ts';
import type { SavedFiles } from './results/saved-files.ts';
import type { Confirmations } from './run/confirmations.ts';
import type { KeyRightsSource } from './run/key-rights.ts';
import type { SubmissionKeys } from './run/submission-keys.ts';
import type { SecretReferences } from './secret-references.ts';
import type { JobNews } from './server/job-news.ts';
import type { Settings } from './settings.ts';

/** What every tool uses. One per process, shared by all connections. */
export interface Bridge {
  readonly settings: Settings;
  readonly client: Changgu;
  /** Address of the service, for the pages of its console; undefined where the SDK alone knows it. */
  readonly origin: string | undefined;
  readonly offering: OfferingSource;
  /** Whether jobs of this action may be read here: a caller sees only what it may call. */
  readonly sees: (actionId: string) => boolean;
  /** Whether the caller may know of links and accounts: what the key reads is not for every caller. */
  readonly mayReadLinks: boolean;
  readonly keys: SubmissionKeys;
  readonly rights: KeyRightsSource;
  readonly confirmations: Confirmations;
  readonly secrets: SecretReferences;
  readonly files: SavedFiles;
  /** Notifies subscribed hosts of changed jobs. */
  readonly news: JobNews;
  readonly log: Log;
  readonly clock: Clock;
}
