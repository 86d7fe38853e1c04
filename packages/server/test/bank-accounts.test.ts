import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encrypt } from './support/encrypt.ts';
import { errorOf, statusesOf } from './support/outcomes.ts';
import { newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Links a new login, by default at bank B. */
async function linkOf(id: string, provider = 'bank_b'): Promise<string> {
  const { body } = await person.call('POST', '/v1/credentials/link', {
    provider,
    login_id: encrypt(id),
    login_password: encrypt('p'),
  });
  return body.account_link_id;
}

describe('bank accounts (D107)', () => {
  const account = (number: string, password = '1234') => ({
    account_no: encrypt(number),
    account_password: encrypt(password),
  });

  it('are masked; the first is the default, and the oldest takes over', async () => {
    const id = await linkOf('accounts');
    const path = `/v1/credentials/${id}/bank-accounts`;
    const added = [];
    for (const number of ['110-123-456789', '1101234567', '110987654321']) {
      const { status, body } = await person.call('POST', path, account(number));
      expect(status).toBe(201);
      added.push(body);
    }
    expect(added.map(({ is_default }) => is_default)).toEqual([true, false, false]);
    expect(added[0].masked_account_no).toBe('110*****6789');
    const ids = added.map(({ bank_account_credential_id }) => bank_account_credential_id);
    expect(await errorOf(person.call('POST', path, account('1101-2345-67')))).toBe(
      '409 CONFLICT_DUPLICATE',
    );
    expect((await person.call('PUT', `${path}/${ids[2]}/default`)).body.is_default).toBe(true);
    expect((await person.call('DELETE', `${path}/${ids[2]}`)).body).toEqual({
      bank_account_credential_id: ids[2],
      status: 'UNLINKED',
    });
    const { body: list } = await person.call('GET', path);
    expect(list.items.map((item: { is_default: boolean }) => item.is_default)).toEqual([
      false,
      true,
    ]);
    const endless = 'x'.repeat(65);
    expect(await errorOf(person.call('GET', `${path}/${endless}`))).toBe(
      '404 BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    );
    const elsewhere = `/v1/credentials/${endless}/bank-accounts/${ids[1]}`;
    expect(await errorOf(person.call('GET', elsewhere))).toBe('404 BANK_ACCOUNT_PARENT_NOT_FOUND');
    const shouted = `/v1/credentials/${id.toUpperCase()}/bank-accounts/${ids[1].toUpperCase()}`;
    for (const address of [`${path}/${ids[1]}`, shouted]) {
      expect((await person.call('GET', address)).body).toEqual({ ...added[1], is_default: false });
    }
    expect(await errorOf(person.call('GET', `${path}/${ids[2]}`))).toBe(
      '404 BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    );
    expect((await person.call('POST', path, account('110987654321'))).status).toBe(201);
    const change = { account_password: encrypt('9876') };
    expect((await person.call('PATCH', `${path}/${ids[0]}`, change)).status).toBe(200);
    const more = { ...change, account_no: encrypt('1101234567') };
    expect(await errorOf(person.call('PATCH', `${path}/${ids[0]}`, more))).toBe(
      '422 VALIDATION_INVALID_FIELD',
    );
  });

  it('may be removed again, as a client does that got no answer, and only on their own link (D107)', async () => {
    const [id, other] = [await linkOf('removed-twice'), await linkOf('not-theirs')];
    const path = `/v1/credentials/${id}/bank-accounts`;
    const [first, second] = [
      await person.call('POST', path, account('110123456789')),
      await person.call('POST', path, account('1101234567')),
    ].map(({ body }) => body.bank_account_credential_id);
    const remove = () => person.call('DELETE', `${path}/${first}`);
    const removed = await remove();
    await person.call('PUT', `${path}/${second}/default`);
    const again = await remove();
    expect([again.status, again.body]).toEqual([200, removed.body]);
    const { body: list } = await person.call('GET', path);
    expect(list.items).toMatchObject([{ bank_account_credential_id: second, is_default: true }]);
    const elsewhere = `/v1/credentials/${other}/bank-accounts/${first}`;
    const stranger = await newPerson(server);
    expect(await errorOf(person.call('DELETE', elsewhere))).toBe(
      '404 BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    );
    expect(await errorOf(stranger.call('DELETE', `${path}/${first}`))).toBe(
      '404 BANK_ACCOUNT_PARENT_NOT_FOUND',
    );
  });

  it('need 8 to 16 digits and a password of four, on a link of a bank', async () => {
    const id = await linkOf('refused');
    const add = (body: object, to = id) =>
      errorOf(person.call('POST', `/v1/credentials/${to}/bank-accounts`, body));
    expect(await add(account('1234567'))).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await add(account('110123456789', '12345'))).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await add(account('110123456789', '12a4'))).toBe('422 VALIDATION_INVALID_FIELD');
    const tax = await linkOf('at-tax', 'tax_portal');
    expect(await add(account('110123456789'), tax)).toBe('404 BANK_ACCOUNT_PARENT_NOT_FOUND');
  });

  it('one account asked for many times at once is there once, and one is the default', async () => {
    const id = await linkOf('accounts-at-once');
    const path = `/v1/credentials/${id}/bank-accounts`;
    const numbers = ['2201234567', '2201234567', '2201234567', '2207654321', '2207654321'];
    const answers = await Promise.all(
      numbers.map((number) => person.call('POST', path, account(number))),
    );
    expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409]);
    const { body } = await person.call('GET', path);
    const defaults = body.items.filter((item: { is_default: boolean }) => item.is_default);
    expect([body.items.length, defaults.length]).toEqual([2, 1]);
  });

  it('does not reach accounts of another organization or link (R124, R128)', async () => {
    const id = await linkOf('mine');
    const other = await linkOf('also mine');
    const path = `/v1/credentials/${id}/bank-accounts`;
    const { body } = await person.call('POST', path, account('110123456789'));
    const stranger = await newPerson(server);
    const account_id = body.bank_account_credential_id;
    expect(await errorOf(stranger.call('GET', path))).toBe('404 BANK_ACCOUNT_PARENT_NOT_FOUND');
    const byOther = person.call('GET', `/v1/credentials/${other}/bank-accounts/${account_id}`);
    expect(await errorOf(byOther)).toBe('404 BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    expect(await errorOf(stranger.call('GET', `/v1/credentials/${id}`))).toBe(
      '404 ACCOUNT_LINK_NOT_FOUND',
    );
  });
});
