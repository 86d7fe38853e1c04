import type { Changgu, Clock } from '@changgu/sdk';
import {
  type CatalogueAction,
  type CatalogueInstitution,
  loginActions,
} from '@changgu/sdk/catalogue';
import type { Log } from './log.ts';
import { readOwnInstitutions } from './own-institutions.ts';
import type { Settings } from './settings.ts';
import { callableServices, chooseDirectTools } from './tools/direct-tools.ts';

/** The services that can be called. */
export interface Offering {
  readonly institutions: readonly CatalogueInstitution[];
  /** The actions that can be called here, by id: the public ones, without irreversible ones in read-only mode. */
  readonly services: ReadonlyMap<string, CatalogueAction>;
  /** The ids of the actions that open a session. */
  readonly logins: ReadonlySet<string>;
  /** The tool that calls an action directly, by action id. */
  readonly directTools: ReadonlyMap<string, string>;
  /** Requested tools for which the list had no room; run_service reaches their services. */
  readonly leftOutTools: readonly string[];
}

/** The services that can be called now. It changes, because custom institutions are added while bridges run. */
export interface OfferingSource {
  readonly now: Offering;
  /** Asks the service for its custom institutions, unless this was just done. */
  refresh(): Promise<void>;
  /** Returns how to unsubscribe. */
  onChange(listener: () => void): () => void;
}

interface OfferingOptions {
  readonly client: Changgu;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly builtIn: readonly CatalogueInstitution[];
}

const FRESH_MS = 60_000;

/** @throws SettingError for an unknown tool */
export async function readOffering(options: OfferingOptions): Promise<OfferingSource> {
  const { client, clock, log } = options;
  const listeners = new Set<() => void>();
  let own = (await readOwnInstitutions(client, log)) ?? [];
  let now = offeringOf(options, own);
  let readAt = clock.now();
  let reading: Promise<void> | null = null;

  async function readAgain(): Promise<void> {
    readAt = clock.now();
    const read = await readOwnInstitutions(client, log);
    // Without an answer, the previous list stays.
    if (read === null || JSON.stringify(read) === JSON.stringify(own)) return;
    own = read;
    now = offeringOf(options, own);
    for (const listener of listeners) listener();
  }

  return {
    get now() {
      return now;
    },
    async refresh() {
      if (reading === null && clock.now() - readAt < FRESH_MS) return;
      reading ??= readAgain().finally(() => {
        reading = null;
      });
      await reading;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function offeringOf(
  { builtIn, settings, log }: OfferingOptions,
  own: readonly CatalogueInstitution[],
): Offering {
  const institutions = [...builtIn, ...own];
  const services = callableServices(institutions, settings);
  const { names, leftOut } = chooseDirectTools(institutions, services, settings);
  if (leftOut.length > 0) log.warn('tools left out: run_service reaches them', { tools: leftOut });
  const logins = loginActions(institutions);
  return { institutions, services, logins, directTools: names, leftOutTools: leftOut };
}

/** The service with this id; an unknown one may just have been added. */
export async function findService(
  { offering }: { readonly offering: OfferingSource },
  id: string,
): Promise<CatalogueAction | undefined> {
  if (!offering.now.services.has(id)) await offering.refresh();
  return offering.now.services.get(id);
}

/** The part of the offering that a caller may use. */
export function narrowedTo(
  isAllowed: (actionId: string) => boolean,
  source: OfferingSource,
): OfferingSource {
  let known: { readonly whole: Offering; readonly part: Offering } | null = null;
  return {
    get now() {
      const whole = source.now;
      if (known?.whole !== whole) known = { whole, part: partOf(whole, isAllowed) };
      return known.part;
    },
    refresh: () => source.refresh(),
    onChange: (listener) => source.onChange(listener),
  };
}

function partOf(whole: Offering, isAllowed: (actionId: string) => boolean): Offering {
  return {
    ...whole,
    services: new Map([...whole.services].filter(([id]) => isAllowed(id))),
    directTools: new Map([...whole.directTools].filter(([id]) => isAllowed(id))),
  };
}
