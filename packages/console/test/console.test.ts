import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCrawl } from './parts/crawl.ts';
import { describeCredentials } from './parts/credentials.ts';
import { describeFactors } from './parts/factors.ts';
import { describeJobs } from './parts/jobs.ts';
import { describeLive } from './parts/live.ts';
import { describePeople } from './parts/people.ts';
import { describeReference } from './parts/reference.ts';
import { describeScreens } from './parts/screens.ts';
import { describeSigningIn } from './parts/signing-in.ts';
import { describeWebhooks } from './parts/webhooks.ts';
import { startDevServer } from './support/dev-server.ts';
import { findChromium } from './support/find-chromium.ts';
import { launch, visit } from './support/open-browser.ts';
import type { Stage } from './support/stage.ts';

const chromium = findChromium();

describe.skipIf(chromium === null)('the console in a browser', () => {
  // Filled before the first test reads it.
  const stage = {} as Stage;

  beforeAll(async () => {
    [stage.server, stage.browser] = await Promise.all([startDevServer(), launch(chromium ?? '')]);
    stage.owner = await visit(stage.browser, stage.server);
    await stage.owner.signIn(stage.server.console.email, stage.server.console.password);
  });
  afterAll(async () => {
    await stage.browser.close();
    await stage.server.close();
  });

  describeScreens(stage);
  describeSigningIn(stage);
  describeJobs(stage);
  describeLive(stage);
  describeCredentials(stage);
  describeWebhooks(stage);
  describePeople(stage);
  describeFactors(stage);
  describeCrawl(stage);
  describeReference(stage);

  it('met no error, no refusal of the policy and no dialog of a script all along', () => {
    expect(stage.owner.faults).toEqual([]);
  });
});
