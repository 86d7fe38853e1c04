import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BODY, HEADERS, submit } from '../../../test/support/jobs-app.ts';

describe('the body', () => {
  it('answers broken JSON, a wrong media type and an array with the error envelope (R121)', async () => {
    const broken = await submit({ payload: '{"provider": secret' });
    expect([broken.status, broken.body.error.fields[0].type]).toEqual([400, 'json_invalid']);
    expect(JSON.stringify(broken.body)).not.toContain('secret');
    const text = await submit({ headers: { ...HEADERS, 'content-type': 'text/plain' } });
    expect([text.status, text.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const list = await submit({ payload: '[]' });
    expect([list.status, list.body.error.fields]).toEqual([
      422,
      [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }],
    ]);
  });

  it('gives every error its five members and the next step (R122)', async () => {
    const { body } = await submit({ payload: '[]' });
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
      message: '입력값이 올바르지 않습니다.',
      retryable: false,
      next_action: expect.stringContaining('입력값을 고쳐'),
      provider_error_ref: null,
    });
    expect(body.error.trace_id).toMatch(/^trc_[0-9a-f]+$/);
  });

  it.each(['provider', 'action'])('missing %s (R15)', async (name) => {
    const { status, body } = await submit({
      payload: JSON.stringify({ ...BODY, [name]: undefined }),
    });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual([
      { loc: ['body', name], msg: 'Field required', type: 'missing' },
    ]);
  });

  it('reports a missing body as a missing field', async () => {
    const { status, body } = await submit({ payload: '' });
    expect([status, body.error.fields]).toEqual([
      422,
      [{ loc: ['body'], msg: 'Field required', type: 'missing' }],
    ]);
  });

  it('refuses every unknown property (R16, D24)', async () => {
    const { status, body } = await submit({ payload: JSON.stringify({ ...BODY, a: 1, b: 2 }) });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual(
      ['a', 'b'].map((name) => ({
        loc: ['body', name],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })),
    );
  });

  it.each([123, {}, [], null, true])('an encrypted value of %j is 422 (R56)', async (value) => {
    const payload = JSON.stringify({ ...BODY, encrypted_fields: { pin: value } });
    const { status, body } = await submit({ payload });
    expect(status).toBe(422);
    expect(body.error.fields).toEqual([
      {
        loc: ['body', 'encrypted_fields', 'pin'],
        msg: 'Input should be a valid string',
        type: 'string_type',
      },
    ]);
  });

  it('accepts null or a UUID v4 as account_link_id (D21)', async () => {
    const send = (id: unknown) =>
      submit({ payload: JSON.stringify({ ...BODY, account_link_id: id }) });
    expect((await send(null)).status).toBe(202);
    expect((await send('0e2ff4a0-4f0b-4d0e-9a57-6f4a4b2a0a0e')).status).toBe(202);
    expect((await send('0e2ff4a0-4f0b-1d0e-9a57-6f4a4b2a0a0e')).body.error.fields[0].type).toBe(
      'uuid_parsing',
    );
    expect((await send('')).status).toBe(422);
  });

  it.each(['9007199254740991', '-9007199254740991', '1.5', '0.1e3'])(
    'takes the number %s (D34)',
    async (number) => {
      const payload = `{"provider":"p","action":"a","params":{"n":${number}}}`;
      expect((await submit({ payload })).status).toBe(202);
    },
  );

  // 2^53 itself is what JSON.parse makes of 2^53 + 1.
  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '12345678901234567890',
  ])('refuses the integer %s (D34)', async (number) => {
    const payload = `{"provider":"p","action":"a","params":{"list":[1,{"n":${number}}]}}`;
    const { status, body } = await submit({ payload });
    expect(status).toBe(422);
    expect(body.error.fields[0]).toMatchObject({
      loc: ['body', 'params', 'list', 1, 'n'],
      type: 'int_parsing_size',
    });
  });

  it('takes 20 levels of params and refuses 21 (D34)', async () => {
    const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + 1 + '}'.repeat(levels));
    const send = (levels: number) =>
      submit({ payload: JSON.stringify({ ...BODY, params: nested(levels) }) });
    expect((await send(20)).status).toBe(202);
    expect((await send(21)).status).toBe(422);
  });

  it('answers 413 beyond 256 KiB (D166)', async () => {
    const { status, body } = await submit({
      payload: JSON.stringify({ ...BODY, params: { a: 'x'.repeat(256 * 1024) } }),
    });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('refuses the name __proto__ where it stands, and changes no prototype', async () => {
    const payload = `{"provider":"bank_b","params":{"list":[{"__proto__":{"polluted":1}}]}}`;
    const { status, body } = await submit({ payload });
    const loc = ['body', 'params', 'list', 0, '__proto__'];
    const msg = 'The name __proto__ is not allowed';
    expect([status, body.error.fields]).toEqual([422, [{ loc, msg, type: 'value_error' }]]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('refuses invalid UTF-8', async () => {
    const { status } = await submit({ payload: Buffer.from([0x22, 0xff, 0x22]) });
    expect(status).toBe(400);
  });

  it('lists at most a hundred violations', async () => {
    const payload = `{"params":{"a":[${Array(20_000).fill('1e999').join()}]}}`;
    const { status, body } = await submit({ payload });
    expect([status, body.error.fields.length]).toEqual([422, 100]);
    expect(body.error.fields[0].loc).toEqual(['body', 'params', 'a', 0]);
  });

  it('takes 1,000 members of one object and refuses 1,001 (D166)', async () => {
    const send = (members: number) => {
      const names = Array.from({ length: members }, (_, n) => [`k${n}`, n]);
      return submit({
        payload: JSON.stringify({ ...BODY, params: { a: Object.fromEntries(names) } }),
      });
    };
    expect((await send(1_000)).status).toBe(202);
    const { status, body } = await send(1_001);
    expect([status, body.error.fields]).toEqual([
      422,
      [
        {
          loc: ['body', 'params', 'a'],
          msg: 'At most 1000 members are allowed',
          type: 'too_long',
        },
      ],
    ]);
  });

  it('takes no more than 25,000 values (D166)', async () => {
    const payload = `{"params":{"a":[${Array(25_001).fill('1').join()}]}}`;
    const { status, body } = await submit({ payload });
    expect([status, body.error.fields[0]]).toMatchObject([422, { loc: ['body'] }]);
  });

  it('refuses compressed bodies with 415', async () => {
    const headers = { ...HEADERS, 'content-encoding': 'gzip' };
    const answer = await submit({ headers, payload: gzipSync(JSON.stringify(BODY)) });
    expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(answer.headers['accept-encoding']).toBe('identity');
    const plain = { ...HEADERS, 'content-encoding': 'identity' };
    expect((await submit({ headers: plain })).status).toBe(202);
  });
});
