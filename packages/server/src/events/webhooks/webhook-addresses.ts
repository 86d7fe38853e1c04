import { isIP } from 'node:net';
import { isPrivateAddress } from '../../institutions/portal/address-guard.ts';
import { isAllowedAddress } from '../../principals/allowed-addresses.ts';

export interface WebhookAddressSettings {
  /** Private networks in CIDR notation that may be called nevertheless. */
  readonly privateNetworks: readonly string[];
  readonly loopback: boolean;
}

/** The addresses that webhooks may be sent to. */
export interface WebhookAddresses {
  isAllowed(address: string): boolean;
  /** A host name is checked when it is resolved. */
  isAllowedHost(hostname: string): boolean;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export function webhookAddresses(settings: WebhookAddressSettings): WebhookAddresses {
  const networks = [...settings.privateNetworks, ...(settings.loopback ? LOOPBACK : [])];
  const isAllowed = (address: string) =>
    !isPrivateAddress(address) || isAllowedAddress(networks, address);
  return {
    isAllowed,
    isAllowedHost(hostname) {
      const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
      if (host === 'localhost' || host.endsWith('.localhost')) return isAllowed('127.0.0.1');
      return isIP(host) === 0 || isAllowed(host);
    },
  };
}
