import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import {
  createServer as createSecureServer,
  getCACertificates,
  rootCertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { demoCertificates, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bankB } from '../banks/bank-b.ts';
import type { PortalTls } from '../connector.ts';
import { certificateCredential, fakeCall } from '../testing/fake-call.ts';
import { SERVER_CERTIFICATE, SERVER_KEY } from '../testing/server-certificate.ts';
import { createPortalHttp } from './client/http-client.ts';

const UPSTREAM = { code: 'PROVIDER_UPSTREAM_ERROR' };
const ca = [SERVER_CERTIFICATE];
const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const http = createPortalHttp();
const servers: Server[] = [];
let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await http.close();
  await simulators.close();
});

async function addressOf(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** The simulated bank behind TLS, as an institution's own server would speak it. */
function bankBehind(options: TlsOptions): Promise<string> {
  const { hostname, port } = new URL(simulators.urls.bank_b);
  const server = createSecureServer(
    { key: SERVER_KEY, cert: SERVER_CERTIFICATE, ...options },
    (socket) => {
      const bank = connect(Number(port), hostname);
      socket.on('error', () => bank.destroy());
      bank.on('error', () => socket.destroy());
      socket.pipe(bank).pipe(socket);
    },
  );
  server.on('tlsClientError', () => {});
  return addressOf(server);
}

async function accountsAt(baseUrl: string, tls?: PortalTls) {
  const action = 'bank_b.accounts.list';
  const credential = await certificateCredential(demoCertificates.corporation);
  const site = tls === undefined ? {} : { tls };
  const call = await fakeCall({ baseUrl, action, link: { credential }, site, now: () => NOW });
  return bankB.connectors[action]?.(call);
}

describe('TLS as the institution speaks it', () => {
  it('trusts an authority of its own, and only for that institution', async () => {
    const baseUrl = await bankBehind({});
    expect(await accountsAt(baseUrl, { ca })).toMatchObject({ success: true });
    await expect(accountsAt(baseUrl)).rejects.toMatchObject(UPSTREAM);
  });

  it('trusts the authorities of the operator beside it', async () => {
    const baseUrl = await bankBehind({});
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, SERVER_CERTIFICATE]);
    try {
      const another = { ca: rootCertificates.slice(0, 1) };
      expect(await accountsAt(baseUrl, another)).toMatchObject({ success: true });
    } finally {
      setDefaultCACertificates(before);
    }
  });

  it('speaks an old version with old ciphers only where it is told to', async () => {
    const baseUrl = await bankBehind({
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const old = { ca, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await accountsAt(baseUrl, old)).toMatchObject({ success: true });
    await expect(accountsAt(baseUrl, { ca })).rejects.toMatchObject(UPSTREAM);
  });

  it('takes a cipher that it would not offer by itself', async () => {
    const ciphers = 'AES128-SHA256';
    const baseUrl = await bankBehind({ maxVersion: 'TLSv1.2', ciphers });
    expect(await accountsAt(baseUrl, { ca, ciphers })).toMatchObject({ success: true });
    const others = { ca, ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' };
    await expect(accountsAt(baseUrl, others)).rejects.toMatchObject(UPSTREAM);
  });

  it('refuses a server that is too old for what the institution demands', async () => {
    const baseUrl = await bankBehind({ maxVersion: 'TLSv1.2' });
    const modern = { ca, minVersion: 'TLSv1.3' } as const;
    await expect(accountsAt(baseUrl, modern)).rejects.toMatchObject(UPSTREAM);
  });

  it('greets a server that cannot renegotiate safely only where it is told to', async () => {
    const refusals: number[] = [];
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(helloWithoutRenegotiation());
        socket.once('data', ([type, , , , , , alert]) => {
          if (type === ALERT) refusals.push(alert ?? 0);
          socket.destroy();
        });
        // A certificate that cannot be read: whoever accepted the greeting stumbles over it.
        socket.write(record(HANDSHAKE, Buffer.from([11, 0, 0, 1, 0])));
      });
      socket.on('error', () => {});
    });
    const baseUrl = await addressOf(server);
    const signal = AbortSignal.timeout(10_000);
    for (const site of [{}, { tls: { legacyServerConnect: true } }]) {
      const ended = once(server, 'connection').then(([socket]) => once(socket, 'close'));
      await expect(
        http.open({ baseUrl, signal, site }).request({ path: '/' }),
      ).rejects.toMatchObject(UPSTREAM);
      await ended;
    }
    expect(refusals).toEqual([HANDSHAKE_FAILURE, DECODE_ERROR]);
  });
});

const [ALERT, HANDSHAKE] = [21, 22];
const [HANDSHAKE_FAILURE, DECODE_ERROR] = [40, 50];

function record(type: number, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.of(type, 3, 3, content.length >> 8, content.length & 0xff),
    content,
  ]);
}

/** A ServerHello of TLS 1.2 (RFC 5246) without the extension of RFC 5746: servers from before 2010 send it so. */
function helloWithoutRenegotiation(): Buffer {
  const cipher = Buffer.from('c02f', 'hex');
  const random = Buffer.alloc(32, 7);
  const body = Buffer.concat([Buffer.of(3, 3), random, Buffer.of(0), cipher, Buffer.of(0)]);
  return record(HANDSHAKE, Buffer.concat([Buffer.of(2, 0, 0, body.length), body]));
}
