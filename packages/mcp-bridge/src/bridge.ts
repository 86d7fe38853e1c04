import type { Changgu, Clock } from '@changgu/sdk';
import type { CatalogueAction, CatalogueInstitution } from '@changgu/sdk/catalogue';
import type { Log } from './log.ts';
import type { SavedFiles } from './results/saved-files.ts';
import type { Confirmations } from './run/confirmations.ts';
import type { KeyRightsSource } from './run/key-rights.ts';
import type { SubmissionKeys } from './run/submission-keys.ts';
import type { SecretReferences } from './secret-references.ts';
import type { Settings } from './settings.ts';

/** What every tool works with. One per process, shared by all connections. */
export interface Bridge {
  readonly settings: Settings;
  readonly client: Changgu;
  readonly institutions: readonly CatalogueInstitution[];
  /** Actions that may be called here, by id: the public ones, without irreversible ones in read-only mode. */
  readonly services: ReadonlyMap<string, CatalogueAction>;
  /** Tool that calls an action directly, by action id. */
  readonly directTools: ReadonlyMap<string, string>;
  /** Tools that were asked for and found no room in the list; run_service reaches their services. */
  readonly leftOutTools: readonly string[];
  readonly keys: SubmissionKeys;
  readonly rights: KeyRightsSource;
  readonly confirmations: Confirmations;
  readonly secrets: SecretReferences;
  readonly files: SavedFiles;
  readonly log: Log;
  readonly clock: Clock;
}
