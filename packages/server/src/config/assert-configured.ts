import type { ConfiguredProvider } from '../identity-providers/configured-provider.ts';
import { ConfigError } from './config-error.ts';

/** @throws ConfigError */
export function assertConfigured(providers: readonly ConfiguredProvider[], name: string): void {
  if (providers.some((each) => each.name === name)) return;
  const known = providers.map((each) => each.name).join(', ') || 'none';
  throw new ConfigError([
    `CHANGGU_CONFIG: there is no identity provider ${name} under identity_providers (configured: ${known})`,
  ]);
}
