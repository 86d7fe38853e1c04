import { Changgu, type ClientOptions } from '@changgu/sdk';
import { onTestFinished } from 'vitest';

/** A client of a test server; retries come at once unless the test says otherwise. */
export function testClient(baseUrl: string, options: ClientOptions = {}): Changgu {
  const client = new Changgu({
    baseUrl,
    clientId: 'cli_test',
    clientSecret: 'the-secret',
    envScope: 'sandbox',
    random: () => 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

export const request = { action: 'bank_b.accounts.list' } as const;
