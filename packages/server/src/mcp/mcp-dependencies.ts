import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import type { LinkAddresses } from '../credentials/link-reach.ts';
import type { UrlSigner } from '../crypto/signed-url.ts';
import type { Vault } from '../crypto/vault.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { ProductCap } from '../jobs/all-accounts/submit-all-accounts.ts';
import type { ResultDependencies } from '../jobs/result.ts';
import type { SubmitDependencies } from '../jobs/submit.ts';
import type { JobWaits } from '../jobs/wait.ts';
import type { Store } from '../store/database.ts';

/** What tool calls use: the same use cases as REST, in process. */
export interface McpDependencies {
  readonly store: Store;
  readonly submissions: SubmitDependencies;
  readonly results: ResultDependencies;
  readonly waits: Pick<JobWaits, 'waitForChange'>;
  readonly cap: ProductCap;
  readonly addresses: LinkAddresses;
  /** How long an institution keeps a login without requests. */
  readonly sessionIdleMs: (provider: string) => number;
  readonly institutions: readonly CatalogueInstitution[];
  /** Seals what a caller returns later: the agreement to an act. */
  readonly urlSigner: UrlSigner;
  /** How long a call waits for its jobs. */
  readonly waitSeconds: number;
  /** Address of the service, for the pages of its console; undefined where it is off. */
  readonly consoleOrigin: () => string | undefined;
  /** Opens what is in files. */
  readonly files: Pick<Vault, 'openFile'>;
  /** Tells of changes to those who listen. */
  readonly feed: EventFeed;
}
