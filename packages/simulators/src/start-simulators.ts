import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createBankA } from './bank/bank-a.ts';
import { createBankB } from './bank/bank-b.ts';
import { createBankC } from './bank/bank-c.ts';
import { createBankD } from './bank/bank-d.ts';
import type { BankPortal } from './bank/bank-portal.ts';
import { controlServer } from './control/control-server.ts';
import { singleSignOnServer } from './control/single-sign-on-server.ts';
import { createEmployment } from './employment/employment.ts';
import type { PaymentProvider } from './payment/payment-provider.ts';
import { createPaymentProvider } from './payment/payment-provider.ts';
import { Condition } from './portal/condition.ts';
import { SingleSignOn } from './portal/detours.ts';
import type { Portal, PortalBase } from './portal/portal.ts';
import type { PortalHolder } from './portal/portal-server.ts';
import { portalServer } from './portal/portal-server.ts';
import { RequestLog } from './portal/request-log.ts';
import { Sessions } from './portal/sessions.ts';
import type { Bank, Site } from './providers.ts';
import { SITES } from './providers.ts';
import { createSiEdi } from './si-edi/si-edi.ts';
import { createTaxPortal } from './tax-portal/tax-portal.ts';

export interface SimulatorOptions {
  /** Business clock, milliseconds: sessions, dates on pages, latest rows. */
  now: () => number;
  /** The portals have no business beyond loopback. */
  host?: '127.0.0.1';
  /** Fixed ports; the others are chosen by the system. */
  ports?: Partial<Record<Site | 'control', number>>;
}

export interface Simulators {
  /** Base address of each site, without a slash at the end. */
  urls: Record<Site, string>;
  controlUrl: string;
  /** The other origin of every institution whose feature `single_sign_on` is on. */
  ssoUrl: string;
  close(): Promise<void>;
}

/** All sites, freshly started. */
interface World {
  portals: Record<Site, Portal>;
  banks: Record<Bank, BankPortal>;
  payment: PaymentProvider;
}

function newWorld(now: () => number): World {
  const base = (provider: Site): PortalBase => {
    const log = new RequestLog(provider);
    return { provider, log, sessions: new Sessions(now, log), condition: new Condition(now) };
  };
  const banks = {
    bank_a: createBankA(base('bank_a')),
    bank_b: createBankB(base('bank_b')),
    bank_c: createBankC(base('bank_c')),
    bank_d: createBankD(base('bank_d')),
  };
  const payment = createPaymentProvider(base('payment'), now);
  return {
    banks,
    payment,
    portals: {
      ...banks,
      payment,
      tax_portal: createTaxPortal(base('tax_portal')),
      employment: createEmployment(base('employment')),
      si_edi: createSiEdi(base('si_edi')),
    },
  };
}

async function listen(app: FastifyInstance, host: string, port = 0): Promise<string> {
  await app.listen({ host, port });
  const address = app.server.address() as AddressInfo; // A TCP server that listens has one.
  return `http://${host}:${address.port}`;
}

/**
 * Starts the seven portals, the payment provider and the control API on loopback.
 * @throws when a fixed port is taken; nothing is left listening then.
 */
export async function startSimulators(options: SimulatorOptions): Promise<Simulators> {
  const { now, host = '127.0.0.1', ports = {} } = options;
  let world = newWorld(now);
  const servers: FastifyInstance[] = [];
  const urls: Record<Site, string> = {
    tax_portal: '',
    employment: '',
    si_edi: '',
    bank_a: '',
    bank_b: '',
    bank_c: '',
    bank_d: '',
    payment: '',
  };
  const holders = new Map<Site, PortalHolder>();
  const sso = new SingleSignOn();
  const ssoSite = singleSignOnServer(sso);
  servers.push(ssoSite);
  const open = async (provider: Site): Promise<void> => {
    const holder = { portal: world.portals[provider], sso };
    holders.set(provider, holder);
    const app = portalServer(holder, now);
    servers.push(app);
    urls[provider] = await listen(app, host, ports[provider]);
  };
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const control = controlServer({
    now,
    portal: (provider) => world.portals[provider],
    banks: () => Object.values(world.banks),
    payment: () => world.payment,
    url: (provider) => urls[provider],
    sites: SITES,
    reset: () => {
      world = newWorld(now);
      for (const [provider, holder] of holders) holder.portal = world.portals[provider];
    },
  });
  servers.push(control);
  const controlStart = listen(control, host, ports.control);
  // Settled, not raced: a server still starting could not be closed.
  const ssoStart = listen(ssoSite, host).then((url) => {
    sso.url = url;
  });
  const starts = await Promise.allSettled([controlStart, ssoStart, ...SITES.map(open)]);
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure) {
    await close();
    throw failure.reason;
  }
  return { urls, controlUrl: await controlStart, ssoUrl: sso.url, close };
}
