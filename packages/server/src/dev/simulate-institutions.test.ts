import { expect, it } from 'vitest';
import { describeStores } from '../store/testing/describe-stores.ts';
import { refuseBesideProduction, withSimulators } from './simulate-institutions.ts';

it('refuses simulators beside a production address (D141, D85)', () => {
  expect(() => refuseBesideProduction({ productionUrls: {} })).not.toThrow();
  const productionUrls = { bank_a: 'https://bank.example' };
  expect(() => refuseBesideProduction({ productionUrls })).toThrow(
    /--simulators .* CHANGGU_PRODUCTION_URL_BANK_A/,
  );
});

describeStores('simulators of a server', (stores) => {
  const reaches = async (url: string) =>
    fetch(url).then(
      () => true,
      () => false,
    );

  it('stops them when it stops or fails to start (D85)', async () => {
    const store = await stores.open();
    let closed = false;
    const server = await withSimulators(store, async (simulators) => {
      expect(simulators.has('bank_a')).toBe(true);
      return {
        close: async () => {
          closed = true;
        },
      };
    });
    expect(await reaches(server.controlUrl)).toBe(true);
    await server.close();
    expect([closed, await reaches(server.controlUrl)]).toEqual([true, false]);

    let control = '';
    const failing = withSimulators(store, async ({ controlUrl }) => {
      control = controlUrl;
      throw new Error('address already in use');
    });
    await expect(failing).rejects.toThrow('already in use');
    expect(await reaches(control)).toBe(false);
  });
});
