/**
 * Claim: a connector (forms as a browser fills them, a check of every page, the guard of credentials,
 * the sums of the statement, its spreadsheet) costs little processor time beyond asking for the same
 * pages and parsing them. A year of one account is read page by page by our connector, and by a bare
 * loop of undici and cheerio that trusts every page. Goal: at most 2 times.
 * Run: node --conditions=@changgu/source bench/connector.ts [rounds]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { load } from 'cheerio';
import iconv from 'iconv-lite';
import { request } from 'undici';
import { bankB } from '../packages/server/src/institutions/banks/bank-b.ts';
import { createPortalHttp } from '../packages/server/src/institutions/portal/client/http-client.ts';
import { fakeCall } from '../packages/server/src/institutions/testing/fake-call.ts';
import { kstDay } from '../packages/server/src/rules/kst.ts';

const ACTION = 'bank_b.accounts.transaction_history.search';
const YEAR_MS = 365 * 24 * 3_600_000;
const WARM_UP = 3;
const rounds = Number(process.argv[2] ?? 10);

interface Portal {
  readonly url: string;
  readonly account: {
    readonly accountNo: string;
    readonly accountPassword: string;
    readonly ownerNumber: string;
  };
}

const portals = fork(new URL('./support/portals-process.ts', import.meta.url), {
  execArgv: ['--conditions=@changgu/source'],
});
const [{ url, account }] = (await once(portals, 'message')) as [Portal];
const day = (ms: number) => kstDay(ms).replaceAll('-', '');
const period = { from_date: day(Date.now() - YEAR_MS), to_date: day(Date.now()) };

let requests = 0;
let bytes = 0;
const http = createPortalHttp();
const counting: typeof http = {
  ...http,
  open(options) {
    const client = http.open(options);
    return {
      ...client,
      async request(order) {
        const response = await client.request(order);
        requests += 1;
        bytes += response.bytes.length;
        return response;
      },
    };
  },
};

async function byConnector(): Promise<number> {
  const call = await fakeCall({
    baseUrl: url,
    action: ACTION,
    params: period,
    http: counting,
    signal: AbortSignal.timeout(120_000),
    link: { businessNumber: account.ownerNumber },
    account: { number: account.accountNo, password: account.accountPassword },
  });
  const data = await bankB.connectors[ACTION]?.(call);
  return Number(data?.row_count);
}

const encoded = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .join('&');
const percent = (text: string) =>
  Array.from(iconv.encode(text, 'cp949'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(
    '',
  );

async function bare(): Promise<number> {
  let cookie = '';
  async function page(path: string, fields?: Readonly<Record<string, string>>) {
    const post = { method: 'POST', body: encoded(fields ?? {}) } as const;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await request(`${url}${path}`, {
      headers: { cookie, ...(fields === undefined ? {} : type) },
      ...(fields === undefined ? {} : post),
    });
    cookie ||= [answer.headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';
    const body = Buffer.from(await answer.body.arrayBuffer());
    requests += 1;
    bytes += body.length;
    return load(iconv.decode(body, 'cp949'));
  }
  const token = (await page('/quick/inquiry.jsp'))('input[name=_csrf]').attr('value') ?? '';
  let $ = await page('/quick/inquiryResult.jsp', {
    _csrf: token,
    계좌번호: account.accountNo,
    비밀번호: account.accountPassword,
    주민사업자번호: account.ownerNumber,
    조회시작일자: period.from_date,
    조회종료일: period.to_date,
    조회구분: '1',
    정렬: '1',
  });
  const key = $('input[name=조회키]').attr('value') ?? '';
  const total = Number(/조회건수<\/th><td>(\d+)건/.exec($.html())?.[1]);
  const rows: string[][] = [];
  for (let number = 1; ; number += 1) {
    const lines = $('table.tType02 tbody tr').toArray();
    rows.push(
      ...lines.map((line) =>
        $(line)
          .children('td')
          .toArray()
          .map((td) => $(td).text()),
      ),
    );
    if (rows.length / 2 >= total) return rows.length / 2;
    $ = await page('/quick/inquiryPage.jsp', {
      _csrf: token,
      조회키: key,
      페이지번호: String(number + 1),
    });
  }
}

async function measured(read: () => Promise<number>) {
  [requests, bytes] = [0, 0];
  const before = process.cpuUsage();
  const rows = await read();
  const { user, system } = process.cpuUsage(before);
  return { rows, requests, bytes, cpuMs: (user + system) / 1_000 };
}

const results: Record<'connector' | 'bare', Awaited<ReturnType<typeof measured>>[]> = {
  connector: [],
  bare: [],
};
for (let round = -WARM_UP; round < rounds; round += 1) {
  const [connector, loop] = [await measured(byConnector), await measured(bare)];
  if (connector.rows !== loop.rows) throw new Error('they did not read the same rows');
  if (round < 0) continue;
  results.connector.push(connector);
  results.bare.push(loop);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

for (const [name, runs] of Object.entries(results)) {
  const { rows, requests: asked, bytes: read } = runs[0] ?? { rows: 0, requests: 0, bytes: 0 };
  const cpu = median(runs.map(({ cpuMs }) => cpuMs)).toFixed(0);
  console.log(
    `${name}: ${rows} rows, ${asked} requests, ${(read / 1024).toFixed(0)} KiB, ${cpu} ms of processor time`,
  );
}
const ratio = median(
  results.connector.map(({ cpuMs }, index) => cpuMs / (results.bare[index]?.cpuMs ?? 1)),
);
console.log(`connector / bare: ${ratio.toFixed(2)} (goal ≤ 2)`);
await http.close();
portals.disconnect();
