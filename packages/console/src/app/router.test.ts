import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Only what the router uses of a browser. */
async function routerAt(href: string) {
  let url = new URL(href);
  const listeners = new Map<string, () => void>();
  const show = (_state: unknown, _title: string, to: string) => {
    url = new URL(to, url);
  };
  vi.stubGlobal('document', { baseURI: 'https://changgu.test/prefix/console/' });
  vi.stubGlobal('window', {
    get location() {
      return url;
    },
    history: { pushState: show, replaceState: show },
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    scrollTo: () => undefined,
  });
  vi.resetModules();
  return {
    ...(await import('./router.ts')),
    address: () => url.pathname + url.search,
    goBackTo: (path: string) => {
      show(null, '', path);
      listeners.get('popstate')?.();
    },
  };
}

it('a held screen has its address again once it is released, also after going back', async () => {
  const { holdPlace, goBackTo, address, place } = await routerAt(
    'https://changgu.test/prefix/console/jobs?status=FAILED&status=QUEUED',
  );
  const release = holdPlace();
  goBackTo('/prefix/console/');
  expect(place.value.path).toBe('jobs');
  release();
  expect(address()).toBe('/prefix/console/jobs?status=FAILED&status=QUEUED');
});

it('a held screen that leads on, as after a request, is at its own address once it is released', async () => {
  const { holdPlace, navigate, address, place } = await routerAt(
    'https://changgu.test/prefix/console/catalog/bank_a.accounts.list',
  );
  const release = holdPlace();
  navigate('jobs/job_1');
  release();
  expect(place.value.path).toBe('jobs/job_1');
  expect(address()).toBe('/prefix/console/jobs/job_1');
});
