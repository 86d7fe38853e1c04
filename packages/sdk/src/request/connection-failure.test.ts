import { describe, expect, it } from 'vitest';
import { connectionFailure } from './connection-failure.ts';

const thrown = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

describe('a connection that failed', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'])(
    '%s was never sent, and a repeat may help',
    (code) => {
      const facts = { neverSent: true, retryable: true, systemCode: code };
      expect(connectionFailure(thrown(code))).toMatchObject(facts);
    },
  );

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  ])('%s was never sent, and a repeat cannot help', (code) => {
    const facts = { neverSent: true, retryable: false };
    expect(connectionFailure(thrown(code))).toMatchObject(facts);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC'])(
    '%s may have been sent',
    (code) => {
      const facts = { neverSent: false, retryable: true };
      expect(connectionFailure(thrown(code))).toMatchObject(facts);
    },
  );
});
