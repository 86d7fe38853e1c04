import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStores } from '../src/store/testing/describe-stores.ts';
import { callerWith } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const ACTION = 'bank_a.accounts.list';
const DAY = 24 * 3600;

describeStores('the product catalog', (stores) => {
  let server: TestServer;
  let admin: ReturnType<typeof callerWith>;
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer({
      env: { DATABASE_URL: await stores.url(), MASTER_KEY: 'cd'.repeat(32) },
      links: true,
    });
    admin = callerWith(server, server.adminToken);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const version = (more: object = {}) => ({
    version: 'v1',
    provider: 'bank_a',
    action: ACTION,
    ...more,
  });

  const create = (initial: object | null, more: object = {}) =>
    admin('POST', '/v1/products', {
      code: `product-${++count}`,
      name: '계좌 목록',
      initial_version: initial,
      ...more,
    });

  async function seeded(action: string) {
    const { body } = await admin('GET', '/v1/products?limit=100');
    return body.items.find((product: { code: string }) => product.code === action);
  }

  const move = (id: number, verb: string, label = 'v1') =>
    admin('POST', `/v1/products/${id}/versions/${label}/${verb}`);

  const submit = (action: string, key: string, headers: Readonly<Record<string, string>> = {}) =>
    server.call('POST', '/v1/jobs', {
      key,
      headers,
      body: { provider: action.split('.')[0], action, params: {} },
    });

  it('has one published product for every action (D18)', async () => {
    const first = await admin('GET', '/v1/products?limit=20');
    const second = await admin('GET', `/v1/products?limit=20&cursor=${first.body.next_cursor}`);
    const items = [...first.body.items, ...second.body.items];
    expect(items).toHaveLength(40);
    expect(new Set(items.map(({ id }) => id)).size).toBe(40);
    expect(second.body.next_cursor).toBeNull();
    for (const { code, current_version: current } of items) {
      expect(current).toMatchObject({ version: 'v1', version_status: 'PUBLISHED', action: code });
    }
  });

  it('shows what the action is like, and 404 for no product (D118)', async () => {
    const { id } = await seeded('bank_d.accounts.transaction_history.search');
    const { body } = await server.call('GET', `/v1/products/${id}`);
    expect(body).toMatchObject({ usage_tokens: 2, irreversible: false, mcp_public: false });
    expect(body.inputs).toContainEqual({
      key: 'bank_account_credential_id',
      type: 'string',
      required: false,
    });
    expect((await admin('GET', '/v1/products/999999')).body.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('leaves a first version DRAFT unless it is to be published (R106)', async () => {
    const { status, body } = await create(version());
    expect(status).toBe(201);
    expect(body.initial_version).toMatchObject({ version_status: 'DRAFT', published_at: null });
    expect(body.current_version).toBeNull();
    const read = await admin('GET', `/v1/products/${body.id}`);
    expect(read.body).toMatchObject({ current_version: null, action: ACTION });
    expect(read.body).not.toHaveProperty('initial_version');
  });

  async function schemaOfJob(action: string, key: string): Promise<string> {
    const job = await submit(action, key);
    await server.ended(job.body.job_id);
    const result = await server.call('GET', `/v1/jobs/${job.body.job_id}/result`);
    return result.body.result.schema;
  }

  it('sells an action by several products, and uses the version published last (D161)', async () => {
    const action = 'si_edi.auth.session.login';
    const offer = (label: string) => ({
      ...version({ version: label, provider: 'si_edi', action, publish_immediately: true }),
      result_schema_ref: `${action}.${label}`,
    });
    const second = await create(offer('v7'), { code: 'second-seller' });
    expect(second.status).toBe(201);
    expect(second.body.initial_version.version_status).toBe('PUBLISHED');
    expect(await schemaOfJob(action, 'of-the-second')).toBe(`${action}.v7`);
    // The first seller publishes again, and is the last one then.
    const { id } = await seeded(action);
    expect((await admin('POST', `/v1/products/${id}/versions`, offer('v8'))).status).toBe(201);
    expect(await schemaOfJob(action, 'of-the-first')).toBe(`${action}.v8`);
    // One that retires leaves the action to the other, and only the last one ends it.
    await move(id, 'deprecate', 'v8');
    await move(second.body.id, 'deprecate', 'v7');
    await server.advanceClock(91 * DAY);
    expect((await move(id, 'retire', 'v8')).body.version_status).toBe('RETIRED');
    expect(await schemaOfJob(action, 'of-what-is-left')).toBe(`${action}.v7`);
    expect((await move(second.body.id, 'retire', 'v7')).body.version_status).toBe('RETIRED');
    expect((await submit(action, 'of-none')).body.error.code).toBe('PRODUCT_RETIRED');
  });

  it('publishes at once, and jobs follow (R106)', async () => {
    const { id } = await seeded(ACTION);
    const added = await admin(
      'POST',
      `/v1/products/${id}/versions`,
      version({
        version: 'v2',
        publish_immediately: true,
        result_schema_ref: `${ACTION}.v2`,
      }),
    );
    expect(added.status).toBe(201);
    expect(added.body.published_at).toMatch(/\+09:00$/);
    expect((await admin('GET', `/v1/products/${id}`)).body.current_version.version).toBe('v2');
    expect(await schemaOfJob(ACTION, 'pinned')).toBe(`${ACTION}.v2`);
  });

  it('a first version that is published at once is what the product points to (R106)', async () => {
    const action = { action: 'bank_b.accounts.list', provider: 'bank_b' };
    const { status, body } = await create(version({ ...action, publish_immediately: true }));
    expect(status).toBe(201);
    expect(body.initial_version).toMatchObject({
      version_status: 'PUBLISHED',
      published_at: expect.stringMatching(/\+09:00$/),
    });
    const { published_at: _, ...summary } = body.initial_version;
    expect(body.current_version).toEqual(summary);
    expect((await admin('GET', `/v1/products/${body.id}`)).body.current_version).toEqual(summary);
  });

  it('a version that cannot be inserted leaves no product (R107)', async () => {
    const rows = () => stores.execute("select id from products where code = 'without-version'");
    // Fails inside the transaction that has just inserted the product.
    await stores.execute(
      stores.dialect === 'sqlite'
        ? "create trigger refuse before insert on product_versions when new.version = 'refused' begin select raise(abort, 'refused'); end"
        : "alter table product_versions add constraint refuse check (version <> 'refused')",
    );
    const failed = await create(version({ version: 'refused' }), { code: 'without-version' });
    expect(failed.status).toBe(500);
    expect(await rows()).toEqual([]);
    expect((await create(version(), { code: 'without-version' })).status).toBe(201);
    expect(await rows()).toHaveLength(1);
  });

  it('a walk through the list neither skips nor repeats while products come in', async () => {
    const ids = async (query: string) => (await admin('GET', `/v1/products?${query}`)).body;
    const there = (await ids('limit=100')).items.map(({ id }: { id: number }) => id);
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await ids(`limit=7${cursor}`);
      seen.push(...page.items.map(({ id }: { id: number }) => id));
      if (seen.length < there.length) await create(null);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, there.length)).toEqual(there);
  });

  it('counts the bytes of a hint as JSON in UTF-8 (R108)', async () => {
    // {"가":"…"} : 7 bytes around the key's three.
    const hint = (bytes: number) => ({ 가: 'x'.repeat(bytes - 10) });
    expect(Buffer.byteLength(JSON.stringify(hint(65_536)))).toBe(65_536);
    expect((await create(version({ metadata: hint(65_536) }))).status).toBe(201);
    const { status, body } = await create(version({ metadata: hint(65_537) }));
    expect(status).toBe(422);
    expect(body.error.fields[0].loc).toEqual(['body', 'initial_version', 'metadata']);
  });

  it('takes hints of that size whatever is in them, and however they are escaped (R108)', async () => {
    const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
    const values = { list: Array(32_700).fill(1) };
    const deep = JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`);
    const hints = { pricing_hint: members, rate_limit_hint: values, metadata: deep };
    expect((await create(version(hints))).status).toBe(201);

    const korean = { note: '가'.repeat(21_000) };
    const { body } = await create(null);
    const payload = JSON.stringify(
      version({ pricing_hint: korean, rate_limit_hint: korean, metadata: korean }),
    ).replaceAll('가', '\\uac00');
    const answer = await fetch(new URL(`/v1/products/${body.id}/versions`, server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
      body: payload,
    });
    expect([answer.status, await answer.json()]).toMatchObject([201, { metadata: korean }]);
  });

  it('refuses hints nested deeper than anyone writes them, and names where (R108)', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`);
    const { status, body } = await create(version({ metadata: deep }));
    expect([status, body.error.fields[0].msg]).toEqual([422, 'Nesting is limited to 1000 levels']);
  });

  it.each(['params_schema_ref', 'result_schema_ref'])(
    'takes a %s of the action itself only (R39)',
    async (name) => {
      const send = (ref: string) => create(version({ [name]: ref }));
      for (const ref of [
        'x.v1',
        'bank_b.accounts.list.v1',
        `${ACTION}.extra.v1`,
        `${ACTION}..v1`,
      ]) {
        const { status, body } = await send(ref);
        expect([ref, status, body.error.fields]).toEqual([
          ref,
          422,
          [
            {
              loc: ['body', 'initial_version', name],
              msg: `Value should be ${ACTION}.v<N>`,
              type: 'string_pattern_mismatch',
            },
          ],
        ]);
      }
      expect((await send(`${ACTION}.v12`)).status).toBe(201);
    },
  );

  it('takes the provider before the action in a schema ref, and shows it once (R39)', async () => {
    const { body } = await create(null);
    const refs = version({
      params_schema_ref: `bank_a.${ACTION}.v3`,
      result_schema_ref: `bank_a.${ACTION}.v4`,
    });
    const added = await admin('POST', `/v1/products/${body.id}/versions`, refs);
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      params_schema_ref: `${ACTION}.v3`,
      result_schema_ref: `${ACTION}.v4`,
    });
  });

  it('refuses a policy-deciding key at any depth (D120)', async () => {
    const { status, body } = await create(version({ pricing_hint: { a: [{ usage_tokens: 1 }] } }));
    expect(status).toBe(400);
    expect(body.error.fields[0].loc).toEqual([
      'body',
      'initial_version',
      'pricing_hint',
      'a',
      0,
      'usage_tokens',
    ]);
  });

  it('refuses a version id twice in one product, not in two (R109)', async () => {
    const { body } = await create(version());
    const again = await admin('POST', `/v1/products/${body.id}/versions`, version());
    expect(again.body.error.code).toBe('CONFLICT_DUPLICATE');
    expect((await create(version())).status).toBe(201);
  });

  it('tells unknown from malformed (R110)', async () => {
    expect((await create(version({ provider: 'bank_z', action: 'bank_z.x' }))).status).toBe(400);
    expect((await create(version({ action: 'bank_a.none' }))).status).toBe(400);
    expect((await create(version({ provider: 'Bank' }))).status).toBe(422);
    expect((await create(version({ version: 'v'.repeat(21) }))).status).toBe(422);
    const { status, body } = await create(version({ colour: 'red' }));
    expect(status).toBe(422);
    expect(body.error.fields[0].type).toBe('extra_forbidden');
  });

  it('sells a new action also where its code is taken, and the server starts (D149, D161)', async () => {
    const action = 'bank_x.accounts.list';
    await create(null, { code: action });
    await create(null, { code: `${action}-2` });
    const seed = () =>
      server.core.store.products.seed([
        {
          code: action,
          name: '계좌 목록',
          description: null,
          category: 'bank',
          version: {
            version: 'v1',
            provider: 'bank_x',
            action,
            paramsSchemaRef: `${action}.v1`,
            resultSchemaRef: `${action}.v1`,
            pricingHint: null,
            rateLimitHint: null,
            metadata: null,
            publish: true,
          },
        },
      ]);
    expect([await seed(), await seed()]).toEqual([1, 0]);
    const sellers = await stores.execute(
      `select code from products where code like '${action}%' and current_version_id is not null`,
    );
    expect(sellers).toEqual([{ code: `${action}-3` }]);
  });

  it('lets only operators create, and no code twice (D118)', async () => {
    const refused = await server.call('POST', '/v1/products', { body: { code: 'x', name: 'x' } });
    expect(refused.status).toBe(403);
    await create(null, { code: 'once' });
    expect((await create(null, { code: 'once' })).body.error.code).toBe('CONFLICT_DUPLICATE');
    for (const code of ['ONCE', '2026_Once.v1-a', 'x'.repeat(64)]) {
      const created = await create(null, { code });
      expect([created.status, created.body.code]).toEqual([201, code]);
    }
    for (const code of ['', '-once', 'on ce', 'x'.repeat(65)]) {
      expect((await create(null, { code })).status, code).toBe(422);
    }
  });

  it('deprecates with a sunset, and answers 410 once retired (D119, D121)', async () => {
    const action = 'bank_c.accounts.list';
    const { id } = await seeded(action);
    expect((await move(id, 'retire')).body.error.code).toBe('CONFLICT_STATE');
    expect((await submit(action, 'before')).headers.get('deprecation')).toBeNull();

    expect((await move(id, 'deprecate')).body.version_status).toBe('DEPRECATED');
    const job = await submit(action, 'while');
    expect(job.status).toBe(202);
    expect(job.headers.get('deprecation')).toMatch(/^@\d+$/);
    const sunset = Date.parse(job.headers.get('sunset') ?? '');
    const deprecated = Number(job.headers.get('deprecation')?.slice(1)) * 1000;
    expect(sunset - deprecated).toBe(90 * DAY * 1000);
    const read = await server.call('GET', `/v1/jobs/${job.body.job_id}`);
    expect(read.headers.get('sunset')).toBe(job.headers.get('sunset'));

    expect((await move(id, 'retire')).body.error.code).toBe('CONFLICT_STATE');
    await server.advanceClock(91 * DAY);
    expect((await move(id, 'retire')).body.version_status).toBe('RETIRED');
    const refused = await submit(action, 'after');
    expect(refused.status).toBe(410);
    expect(refused.body.error.code).toBe('PRODUCT_RETIRED');
  });

  it('tells of the sunset in every answer about such a job (D121)', async () => {
    const action = 'bank_c.accounts.transaction_history.search';
    const portal = 'tax_portal.c1.vat_standard';
    for (const code of [action, portal]) await move((await seeded(code)).id, 'deprecate');
    const accounts = await server.call('POST', '/v1/jobs/all-accounts', {
      key: 'sunset',
      body: { provider: 'bank_c', action, params: {} },
    });
    const answers = [
      accounts,
      await server.call('POST', '/tax_portal/products/v1/a/c1/vat-standard', { body: {} }),
    ];
    const jobId = accounts.body.accounts[0].job_id;
    await server.ended(jobId);
    for (const part of ['', '/result', '/timeline']) {
      answers.push(await server.call('GET', `/v1/jobs/${jobId}${part}`));
    }
    const canceled = await submit(action, 'canceled', { 'x-sandbox-outcome': 'CANCELED' });
    await server.ended(canceled.body.job_id);
    answers.push(await server.call('POST', `/v1/jobs/${canceled.body.job_id}/cancel`));
    expect(answers.map(({ status, headers }) => [status, headers.get('sunset') !== null])).toEqual([
      [202, true],
      [200, true],
      [200, true],
      [200, true],
      [200, true],
      [200, true],
    ]);
  });

  it('deprecates the jobs of the version that they carry, whichever is on sale (D18, D121)', async () => {
    const action = 'bank_d.accounts.list';
    const { id } = await seeded(action);
    const old = await submit(action, 'of-the-old-version');
    const offer = { ...version({ version: 'v2', provider: 'bank_d', action }) };
    const published = { ...offer, publish_immediately: true };
    expect((await admin('POST', `/v1/products/${id}/versions`, published)).status).toBe(201);
    const young = await submit(action, 'of-the-new-version');
    const sunsets = async () => {
      const reads = [old, young].map(({ body }) => server.call('GET', `/v1/jobs/${body.job_id}`));
      const replays = [submit(action, 'of-the-old-version'), submit(action, 'of-the-new-version')];
      const answers = await Promise.all([...reads, ...replays]);
      return answers.map(({ headers }) => headers.get('sunset') !== null);
    };
    expect(await sunsets()).toEqual([false, false, false, false]);
    await move(id, 'deprecate', 'v1');
    expect(await sunsets()).toEqual([true, false, true, false]);
    await move(id, 'deprecate', 'v2');
    expect(await sunsets()).toEqual([true, true, true, true]);
    await move(id, 'retire', 'v1');
    expect(await sunsets()).toEqual([false, true, false, true]);
  });
});
