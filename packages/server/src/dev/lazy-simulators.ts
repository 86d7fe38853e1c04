import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SimulatorRecord } from '@changgu/contract/schemas';
import type { PaymentAccount } from '../billing/payment-provider.ts';
import type { ConsentClient } from '../credentials/consent-server.ts';
import type { SimulatedInstitutions } from '../institutions/addresses.ts';
import type { SimulatorControl } from '../institutions/simulator-control.ts';
import { refuseForeign } from './loopback-only.ts';

// Not an import, which reads every export of the module, and its `WebSocket` loads a whole client.
const { createServer, request } = process.getBuiltinModule('node:http');

export interface LazySimulators extends SimulatedInstitutions {
  readonly control: SimulatorControl;
  /** Answers from the start; the first request starts the portals. */
  readonly controlUrl: string;
  /** How `dev` is registered with a simulated consent screen. */
  readonly consentClientOf: (provider: string) => Promise<ConsentClient | null>;
  /** How `dev` is registered with the simulated payment provider. */
  readonly payment: () => Promise<PaymentAccount>;
  close(): Promise<void>;
}

interface Started {
  readonly urls: Readonly<Record<string, string>>;
  readonly controlUrl: string;
  close(): Promise<void>;
}

const CONSENT_PROVIDER = 'bank_d';

const PROVIDERS = new Set([
  'tax_portal',
  'employment',
  'si_edi',
  'bank_a',
  'bank_b',
  'bank_c',
  'bank_d',
]);

/**
 * The simulated institutions of `dev`. They start on the first request from a connector or to the control
 * address, so that starting the server does not wait for seven portals.
 *
 * @param now Business time in milliseconds, without waiting
 */
export async function lazySimulators(now: () => number): Promise<LazySimulators> {
  let starting: Promise<Started> | undefined;

  function start(): Promise<Started> {
    starting ??= import('@changgu/simulators').then(({ startSimulators }) =>
      startSimulators({ now }),
    );
    return starting;
  }

  const front = await openFront(start);

  return {
    controlUrl: front.url,
    control: {
      // Those not needed yet will start well.
      list: async () => statesOf(starting && (await starting).controlUrl),
      async setState(provider, order) {
        if (!PROVIDERS.has(provider)) return null;
        const { controlUrl } = await start();
        await fetch(`${controlUrl}/${provider}/state`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(order),
        });
        return (await statesOf(controlUrl)).find((each) => each.provider === provider) ?? null;
      },
    },
    has: (provider) => PROVIDERS.has(provider),
    async consentClientOf(provider) {
      if (provider !== CONSENT_PROVIDER) return null;
      return (await import('@changgu/simulators')).demoConsentClient;
    },
    async urlOf(provider) {
      const url = (await start()).urls[provider];
      if (url === undefined) throw new Error(`there is no simulated ${provider}`);
      return url;
    },
    async payment() {
      const [{ urls }, { demoPaymentMerchant }] = await Promise.all([
        start(),
        import('@changgu/simulators'),
      ]);
      if (urls.payment === undefined) throw new Error('there is no simulated payment provider');
      return { url: urls.payment, ...demoPaymentMerchant };
    },
    async close() {
      front.close();
      await (await starting)?.close();
    },
  };
}

/** Answers at the control address and passes requests on to the simulators, once they have started. */
async function openFront(start: () => Promise<Started>) {
  const front = createServer((incoming, outgoing) => {
    if (refuseForeign(incoming.headers)) return void outgoing.writeHead(403).end();
    start().then(
      ({ controlUrl }) => forward(controlUrl, incoming, outgoing),
      (failure: unknown) => outgoing.writeHead(503).end(String(failure)),
    );
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  // A listening TCP server always has an address.
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close(): void {
      front.closeAllConnections();
      front.close();
    },
  };
}

async function statesOf(controlUrl: string | undefined): Promise<SimulatorRecord[]> {
  const answer: Readonly<Record<string, Pick<SimulatorRecord, 'state'>>> =
    controlUrl === undefined ? {} : await (await fetch(controlUrl)).json();
  return [...PROVIDERS].map((provider) => ({
    provider,
    state: answer[provider]?.state ?? 'HEALTHY',
  }));
}

function forward(baseUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url: path = '/', headers } = incoming;
  // A path such as //host/ stays a path: parsed as an address, it could lead anywhere.
  const upstream = request(baseUrl, { method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}
