import { FakeService } from '@changgu/sdk/testing';
import { createBridge } from '../../src/create-bridge.ts';
import { readSettings, type SettingValues } from '../../src/settings.ts';
import { type InProcessHost, inProcessHost } from './in-process-host.ts';
import { SILENT } from './silent-log.ts';

/** Bridges to one service in memory, all in its virtual time: each is what a new process would be. */
export class FakeSetting {
  readonly service = new FakeService();

  async host(
    values: SettingValues = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<InProcessHost> {
    const { clientOptions: client, clock } = this.service;
    const settings = readSettings(values, env);
    return inProcessHost(
      await clock.runUntil(createBridge({ settings, client, clock, log: SILENT })),
    );
  }

  /** What a call gives, and how many virtual seconds it took. */
  async timed<T>(call: Promise<T>): Promise<{ readonly answer: T; readonly seconds: number }> {
    const { clock } = this.service;
    const start = clock.now();
    const answer = await clock.runUntil(call);
    return { answer, seconds: (clock.now() - start) / 1000 };
  }
}
