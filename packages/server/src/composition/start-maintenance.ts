import { createSealer } from '../audit/sealer.ts';
import type { CoreDependencies } from '../core.ts';
import { maintainKeys } from '../crypto/rotation/maintain-keys.ts';
import { logFailures } from '../failures/separately.ts';
import type { Logger } from '../logging/logger.ts';
import { maintainOrganizations } from '../organizations/maintain.ts';
import type { SignReceipts } from '../receipts/signer.ts';
import { HOUR_MS } from '../rules/durations.ts';
import { realTimers, repeat } from '../timers.ts';
import { startWebhooks, type WebhookParts } from './start-webhooks.ts';

const KEY_MAINTENANCE_MS = HOUR_MS;
const ORGANIZATION_MAINTENANCE_MS = 60_000;
const AUDIT_SEALING_MS = 1_000;
const RECEIPT_SIGNING_MS = 1_000;
/** Those that are due, which each is every five minutes. */
const LOGIN_RECHECK_MS = 15_000;

interface MaintenanceParts extends WebhookParts {
  readonly sign: SignReceipts;
  /** Undefined where no identity provider is configured. */
  readonly recheck: ((stop: AbortSignal) => Promise<void>) | undefined;
}

/** Makes the first keys too, while the server already listens. Returns how to stop. */
export function startMaintenance(parts: MaintenanceParts): () => Promise<unknown> {
  const { config, core, logger, postOffice, sign, recheck } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stops = [
    repeatSafely(KEY_MAINTENANCE_MS, logger, () => maintainKeys(core, signal)),
    repeatSafely(ORGANIZATION_MAINTENANCE_MS, logger, () => maintainOrganizations(core, signal)),
    postOffice.start(),
    sealAudit(core, logger),
    repeatSafely(RECEIPT_SIGNING_MS, logger, () => sign(undefined, signal)),
    ...(recheck === undefined
      ? []
      : [repeatSafely(LOGIN_RECHECK_MS, logger, () => recheck(signal))]),
    ...(config.role === 'api' ? [] : [startWebhooks(parts)]),
  ];
  return () => {
    stopping.abort();
    return Promise.all(stops.map((stop) => stop()));
  };
}

/** Sooner again while rows wait, yet never without a rest: sealing must not slow down those who write. */
function sealAudit({ store }: CoreDependencies, logger: Logger) {
  const seal = createSealer(store, realTimers.monotonic);
  let more = false;
  const run = async () => {
    more = await seal();
  };
  return repeatSafely(() => (more ? AUDIT_SEALING_MS / 10 : AUDIT_SEALING_MS), logger, run);
}

/** Maintenance that failed is tried again in its time. Returns how to stop. */
function repeatSafely(
  every: number | (() => number),
  logger: Logger,
  maintain: () => Promise<unknown>,
) {
  const run = async () => {
    await maintain().catch((error: unknown) => logFailures(logger, error, 'maintenance failed'));
  };
  return repeat(realTimers, typeof every === 'number' ? () => every : every, run);
}
