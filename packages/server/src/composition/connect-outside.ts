import { createPaymentProvider, type PaymentAccount } from '../billing/payment-provider.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { type ConsentClient, createConsentServers } from '../credentials/consent-server.ts';
import { institutionAddresses, type SimulatedInstitutions } from '../institutions/addresses.ts';

/** What `dev` simulates. */
export interface OutsideOptions {
  readonly simulated?: SimulatedInstitutions;
  /** The registration at a simulated consent screen. */
  readonly consentClientOf?: (provider: string) => Promise<ConsentClient | null>;
  /** Our account at the simulated payment provider. */
  readonly simulatedPayment?: () => Promise<PaymentAccount>;
}

export type Outside = ReturnType<typeof connectOutside>;

/** What the server asks over the network, through one pool of connections that opens on first use. */
export function connectOutside(config: ServerConfig, options: OutsideOptions) {
  let opened: ReturnType<typeof openPortalHttp> | undefined;
  function portalHttp() {
    opened ??= openPortalHttp();
    return opened;
  }
  const addresses = institutionAddresses(
    { real_test: config.realTestUrls, production: config.productionUrls },
    options.simulated ?? null,
  );
  return {
    addresses,
    portalHttp,
    consentServers: createConsentServers({
      addresses,
      clientOf: async (provider) =>
        config.consentClients[provider] ?? (await options.consentClientOf?.(provider)) ?? null,
      http: portalHttp,
    }),
    paymentProvider: createPaymentProvider({
      account: async () => config.payment ?? (await options.simulatedPayment?.()) ?? null,
      http: portalHttp,
    }),
    close: async () => (await opened)?.close(),
  };
}

async function openPortalHttp() {
  const { createPortalHttp } = await import('../institutions/portal/client/http-client.ts');
  return createPortalHttp();
}
