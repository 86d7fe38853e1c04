import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolve } from '../../institutions/portal/address-guard.ts';
import { webhookAddresses } from './webhook-addresses.ts';
import { createWebhookHttp, type WebhookHttpOptions } from './webhook-http.ts';

let inside: Server;
let port: number;
let reached = 0;
beforeAll(async () => {
  inside = createServer((request, response) => {
    reached += 1;
    if (request.url === '/silent') return;
    if (request.url === '/drip') {
      response.writeHead(200).write('a');
      return;
    }
    response.writeHead(200, { connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  port = (inside.address() as AddressInfo).port;
});
afterAll(() => {
  inside.closeAllConnections();
  inside.close();
});

const PUBLIC = webhookAddresses({ privateNetworks: [], loopback: false });
const MESSAGE = { headers: { 'webhook-id': 'evt_1' }, body: '{}' };

async function post(url: string, options: Partial<WebhookHttpOptions> = {}) {
  const http = createWebhookHttp({ addresses: PUBLIC, timeoutMs: 2_000, ...options });
  try {
    return await http.post(url, MESSAGE, new AbortController().signal);
  } finally {
    await http.close();
  }
}

/** A name server that answers each question with the next of these. */
function nameServer(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const resolve: Resolve = (_hostname, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked: () => asked };
}

describe('a webhook reaches nothing inside', () => {
  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://2130706433',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://[fd00::1]',
  ])('by the literal address %s', async (origin) => {
    const before = reached;
    expect(await post(`${origin}:${port}/`)).toMatchObject({ error: 'ADDRESS_REFUSED' });
    expect(reached).toBe(before);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a private address among public ones', ['93.184.216.34', '127.0.0.1']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1']],
    ['the address of a cloud that tells its secrets', ['169.254.169.254']],
    ['nothing', []],
  ])('by a name that stands for %s', async (_what, addresses) => {
    const before = reached;
    const { resolve } = nameServer(addresses);
    const answer = await post(`http://receiver.example:${port}/`, { resolve });
    expect(answer).toMatchObject({ status: null, error: 'ADDRESS_REFUSED' });
    expect(reached).toBe(before);
  });

  it('by a name that stands for something else at the second question', async () => {
    const names = nameServer(['127.0.0.2'], ['127.0.0.1']);
    // Nothing listens at the first address, so that the second message needs another connection.
    const addresses = {
      isAllowed: (address: string) => address === '127.0.0.2',
      isAllowedHost: () => true,
    };
    const http = createWebhookHttp({ addresses, resolve: names.resolve, timeoutMs: 2_000 });
    const { signal } = new AbortController();
    const url = `http://receiver.example:${port}/`;
    const before = reached;
    expect(await http.post(url, MESSAGE, signal)).toMatchObject({ error: 'CONNECTION' });
    expect(names.asked()).toBe(1);
    expect(await http.post(url, MESSAGE, signal)).toMatchObject({ error: 'ADDRESS_REFUSED' });
    expect(reached).toBe(before);
    await http.close();
  });

  it('and connects to the very address that was checked, asking once', async () => {
    const names = nameServer(['127.0.0.1'], ['10.0.0.1']);
    const addresses = { isAllowed: (ip: string) => ip === '127.0.0.1', isAllowedHost: () => true };
    const answer = await post(`http://receiver.example:${port}/`, {
      addresses,
      resolve: names.resolve,
    });
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(names.asked()).toBe(1);
  });

  it('unless its network is on the list, and then nothing beside it', () => {
    const listed = webhookAddresses({ privateNetworks: ['10.1.0.0/16'], loopback: false });
    expect(listed.isAllowed('10.1.2.3')).toBe(true);
    expect(listed.isAllowed('10.2.0.1')).toBe(false);
    expect(listed.isAllowed('127.0.0.1')).toBe(false);
    expect(listed.isAllowed('93.184.216.34')).toBe(true);
    expect(listed.isAllowedHost('localhost.')).toBe(false);
  });
});

describe('a receiver', () => {
  const addresses = webhookAddresses({ privateNetworks: [], loopback: true });

  it.each(['/silent', '/drip'])('that does not end its answer (%s) is given up', async (path) => {
    const answer = await post(`http://127.0.0.1:${port}${path}`, { addresses, timeoutMs: 200 });
    expect(answer).toMatchObject({ status: null, error: 'TIMEOUT' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(190);
  });

  it('that is not there is a failed connection', async () => {
    const answer = await post('http://127.0.0.1:1/', { addresses });
    expect(answer).toMatchObject({ status: null, error: 'CONNECTION' });
  });
});
