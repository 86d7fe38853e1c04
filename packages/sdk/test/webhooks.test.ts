import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { verifyWebhook } from '@changgu/sdk/webhooks';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = JSON.stringify({
  event_id: 'evt_00000000000000000000000001',
  type: 'job.finished',
  env_scope: 'production',
  occurred_at: '2026-11-22T09:00:00.000+09:00',
  subject: { job_id: 'job_1' },
  data: { status: 'SUCCEEDED', error_code: null },
});

/** As the public library signs it. */
function messageOf(body = BODY, secret = SECRET, at = new Date()) {
  const id = 'evt_00000000000000000000000001';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const flawOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { flaw?: string }) => error.flaw,
  );

describe('a message', () => {
  it('that the public library signed is an event with names in the case of TypeScript', async () => {
    for (const headers of [messageOf(), new Headers(messageOf())]) {
      const event = await verifyWebhook(BODY, headers, SECRET);
      expect(event).toMatchObject({ type: 'job.finished', subject: { jobId: 'job_1' } });
      expect(event.data).toEqual({ status: 'SUCCEEDED', error_code: null });
    }
    const bytes = new TextEncoder().encode(BODY);
    await expect(verifyWebhook(bytes, messageOf(), [OTHER, SECRET])).resolves.toBeDefined();
  });

  it('is refused when anything of it was changed, or it is signed with another secret', async () => {
    const headers = messageOf();
    expect(await flawOf(verifyWebhook(`${BODY} `, headers, SECRET))).toBe('signature');
    const changed = { ...headers, 'webhook-id': 'evt_2' };
    expect(await flawOf(verifyWebhook(BODY, changed, SECRET))).toBe('signature');
    expect(await flawOf(verifyWebhook(BODY, headers, OTHER))).toBe('signature');
    for (const signature of ['v1,', 'v1,%%%', 'v2,AAAA', 'v1a,AAAA', 'v1', ' ']) {
      const forged = { ...headers, 'webhook-signature': signature };
      expect(await flawOf(verifyWebhook(BODY, forged, SECRET))).toBe('signature');
    }
  });

  it('that a parser of a framework has read cannot be verified, and the error says so', async () => {
    const handler: (body: unknown) => Promise<unknown> = (body) =>
      // A program in JavaScript passes what it has.
      verifyWebhook(body as string, messageOf(), SECRET);
    const words = 'the body must be the text or the bytes as they arrived, not yet parsed';
    await expect(handler(JSON.parse(BODY))).rejects.toThrow(new TypeError(words));
    await expect(handler({})).rejects.toThrow(new TypeError(words));
    expect(await flawOf(handler(undefined))).toBe('signature');
    await expect(handler(new TextEncoder().encode(BODY).buffer)).resolves.toBeDefined();
  });

  it('is refused without its headers, and when it is old or from the future', async () => {
    const { 'webhook-id': _id, ...rest } = messageOf();
    expect(await flawOf(verifyWebhook(BODY, rest, SECRET))).toBe('headers');
    for (const seconds of [-301, 301]) {
      const headers = messageOf(BODY, SECRET, new Date(Date.now() + seconds * 1_000));
      expect(await flawOf(verifyWebhook(BODY, headers, SECRET))).toBe('timestamp');
      const wide = { toleranceSeconds: 600 };
      await expect(verifyWebhook(BODY, headers, SECRET, wide)).resolves.toBeDefined();
    }
    const never = { ...messageOf(), 'webhook-timestamp': 'NaN' };
    expect(await flawOf(verifyWebhook(BODY, never, SECRET))).toBe('timestamp');
  });

  it('is verified by the public key alone, also beside another signature', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const key = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
    const headers = messageOf(BODY, OTHER);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${BODY}`;
    const pkcs8 = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const v1a = sign(null, Buffer.from(signed), pkcs8).toString('base64');
    const both = { ...headers, 'webhook-signature': `${headers['webhook-signature']} v1a,${v1a}` };
    await expect(verifyWebhook(BODY, both, key)).resolves.toBeDefined();
    expect(await flawOf(verifyWebhook(`${BODY} `, both, key))).toBe('signature');
  });

  it('asks for a secret of a webhook, and never shows it', async () => {
    await expect(verifyWebhook(BODY, messageOf(), undefined)).rejects.toThrow(TypeError);
    const failure = verifyWebhook(BODY, messageOf(), 'cgs_not_this_one');
    await expect(failure).rejects.not.toThrow(/not_this_one/);
    for (const cut of ['whsec_', 'whsec_a$b', 'whpk_', 'whpk_AAAA', `whpk_${'A'.repeat(41)}`]) {
      const incomplete = verifyWebhook(BODY, messageOf(), cut);
      await expect(incomplete).rejects.toThrow(
        new TypeError('the secret of the webhook is incomplete'),
      );
    }
  });
});
