import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SERVER_CERTIFICATE, SERVER_KEY } from '../institutions/testing/server-certificate.ts';
import { createDocumentFetch } from './client-documents.ts';

const DOCUMENT = { client_name: 'Agent' };

it('asks for documents uncompressed, and takes no other', async () => {
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, SERVER_CERTIFICATE]);
  const asked: unknown[] = [];
  const publisher: Server = createServer(
    { key: SERVER_KEY, cert: SERVER_CERTIFICATE },
    ({ url, headers }, response) => {
      asked.push(headers['accept-encoding']);
      const text = JSON.stringify(DOCUMENT);
      if (url === '/plain') return response.end(text);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
    },
  );
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  // The name of the certificate, written so that only the lookup decides where it is.
  const origin = `https://localhost.:${(publisher.address() as AddressInfo).port}`;
  const documents = createDocumentFetch((_host, { all }, callback) => {
    const address = { address: '127.0.0.1', family: 4 };
    return all ? callback(null, [address]) : callback(null, address.address, address.family);
  });
  try {
    const plain = await documents.fetch(`${origin}/plain`);
    expect(await plain.json()).toEqual(DOCUMENT);
    await expect(documents.fetch(`${origin}/gzip`)).rejects.toThrow(/content-encoding/);
    expect(asked).toEqual(['identity', 'identity']);
  } finally {
    await documents.close();
    publisher.close();
    setDefaultCACertificates(trusted);
  }
});
