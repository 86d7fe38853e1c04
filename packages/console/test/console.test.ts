import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBilling } from './parts/billing.ts';
import { describeConsents } from './parts/consents.ts';
import { describeCrawl } from './parts/crawl.ts';
import { describeCredentials } from './parts/credentials.ts';
import { describeFactors } from './parts/factors.ts';
import { describeHostileText } from './parts/hostile-text.ts';
import { describeJobs } from './parts/jobs.ts';
import { describeKeyboard } from './parts/keyboard.ts';
import { describeLive } from './parts/live.ts';
import { describeOperator } from './parts/operator.ts';
import { describePeople } from './parts/people.ts';
import { describePreviews } from './parts/previews.ts';
import { describeReference } from './parts/reference.ts';
import { describeRefusals } from './parts/refusals.ts';
import { describeScreens } from './parts/screens.ts';
import { describeSessions } from './parts/sessions.ts';
import { describeSigningIn } from './parts/signing-in.ts';
import { describeWebhooks } from './parts/webhooks.ts';
import { startDevServer } from './support/dev-server.ts';
import { findChromium } from './support/find-chromium.ts';
import { launch, visit } from './support/open-browser.ts';
import { join } from './support/people.ts';
import type { Stage } from './support/stage.ts';

const chromium = findChromium();

describe.skipIf(chromium === null)('the console in a browser', () => {
  // Filled before the first test reads it.
  const stage = {} as Stage;

  beforeAll(async () => {
    [stage.server, stage.browser] = await Promise.all([startDevServer(), launch(chromium ?? '')]);
    stage.owner = await visit(stage.browser, stage.server);
    const email = 'second-owner@example.com';
    const [password] = await Promise.all([
      join(stage.server, email, 'OWNER'),
      stage.owner.signIn(stage.server.console.email, stage.server.console.password),
    ]);
    stage.colleague = { email, password };
  });
  afterAll(async () => {
    await stage.browser.close();
    await stage.server.close();
  });

  // Two lanes at once: one shares the page of the owner, in the other each test opens its own.
  describe.concurrent('on one page', () => {
    describe('of the owner', { concurrent: false }, () => {
      describeJobs(stage);
      describeLive(stage);
      describeCredentials(stage);
      describeConsents(stage);
      describeWebhooks(stage);
      describeBilling(stage);
      describePeople(stage);
    });
  });
  describe.concurrent('on many pages', () => {
    describe('each with its own visit', { concurrent: false }, () => {
      describeScreens(stage);
      describeCrawl(stage);
      describeSigningIn(stage);
      describeSessions(stage);
      describeFactors(stage);
      describePreviews(stage);
      describeHostileText(stage);
      describeKeyboard(stage);
      describeReference(stage);
      describeRefusals(stage);
    });
  });

  describeOperator(stage);

  it('met no error, no refusal of the policy and no dialog of a script all along', () => {
    expect(stage.owner.faults).toEqual([]);
  });
});
