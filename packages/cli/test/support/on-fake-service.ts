import type { FakeService } from '@changgu/sdk/testing';
import { type Ran, type RunOptions, type TestHome, testHome } from './run.ts';

/** A home whose commands call this service. */
export function homeOf({ baseUrl, clientOptions }: FakeService): Promise<TestHome> {
  return testHome({
    CHANGGU_BASE_URL: baseUrl,
    CHANGGU_CLIENT_ID: clientOptions.clientId,
    CHANGGU_CLIENT_SECRET: clientOptions.clientSecret,
  });
}

/** Runs a command whose time is that of the service. */
export function runOn(
  service: FakeService,
  home: TestHome,
  argv: string[],
  options: RunOptions = {},
): Promise<Ran> {
  const { fetch, clock } = service;
  return clock.runUntil(home.run(argv, { fetch, clock, ...options }));
}

/** Accounts `account-a` and so on of `bank_b`, all of one link. */
export function addAccounts(service: FakeService, ids: readonly string[]): FakeService {
  for (const id of ids) {
    service.addBankAccounts({
      provider: 'bank_b',
      accountLinkId: 'link-1',
      bankAccountCredentialId: `account-${id}`,
      maskedAccountNo: `201****${id}`,
    });
  }
  return service;
}
