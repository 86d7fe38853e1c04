/** Common requests to an agent, performed as a model would: using only what the answers say. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Agent } from './agent.ts';
import { type Answer, isUnfinished } from './answer.ts';

/** One bank account, as `session_status` and the registration name it. */
export interface Account {
  readonly account_link_id: string;
  readonly bank_account_credential_id: string;
}

export interface Period {
  readonly from_date: string;
  readonly to_date: string;
}

const CERTIFICATE = { service: 'tax_portal.c1.vat_standard' };
const CERTIFICATES = { service: 'tax_portal.c1.certificates_list' };

/** "Which of my certificates can you list?" */
export async function findService(agent: Agent): Promise<readonly string[]> {
  await agent.call('session_status');
  const { data } = await agent.call('search_services', { query: '증명 목록' });
  const { services } = Services.parse(data);
  return services.map(({ service }) => service);
}
const Services = z.object({ services: z.array(z.object({ service: z.string() })) });

/** "What came in on this account in that time?" */
export function readAccount(agent: Agent, account: Account, period: Period): Promise<Answer> {
  return agent.finish('bank_b_transactions', { ...account, ...period, direction: 'in' });
}

/** "And on all accounts?", where the bank reads two at a time: jobs that end make room for the other accounts. */
export async function readAllAccounts(agent: Agent, period: Period) {
  const request = { ...period, all_accounts: true, request_id: randomUUID(), wait_seconds: 0 };
  let answer = await agent.call('bank_c_transactions', request);
  while (isUnfinished(answer)) {
    for (const { status, job_id } of Accounts.parse(answer.data).accounts) {
      if (job_id && status !== 'SUCCEEDED') {
        await agent.call('job_result', { job_id, form: 'totals' });
      }
    }
    answer = await agent.follow(answer.next[0]);
  }
  const { status } = answer;
  const { accounts } = Accounts.parse(answer.data);
  while (status === 'SUCCEEDED' && answer.next.length > 0) {
    answer = await agent.follow(answer.next.at(-1));
    accounts.push(...Accounts.parse(answer.data).accounts);
  }
  return { status, accounts };
}
const Accounts = z.object({
  accounts: z.array(z.object({ status: z.string(), job_id: z.string().optional() })),
});

/** "I need a VAT certificate." The person is asked before it is issued. */
export async function issueCertificate(agent: Agent) {
  const answer = await agent.finish('run_service', CERTIFICATE);
  const uri = answer.files.find(({ mime_type }) => mime_type === 'application/pdf')?.uri;
  return { ...answer, pdf: uri === undefined ? null : await agent.read(uri) };
}

/** "List my certificates", after the portal has ended the session. */
export async function listAfterBreak(agent: Agent, breakTime: () => Promise<void>) {
  const before = await agent.finish('run_service', CERTIFICATES);
  await breakTime();
  return { before, after: await agent.finish('run_service', CERTIFICATES) };
}

/** "What is on my account at bank D?" */
export function readBankD(agent: Agent): Promise<Answer> {
  return agent.finish('bank_d_accounts', {});
}

/** "Stop it." */
export async function startAndStop(agent: Agent): Promise<Answer> {
  const started = await agent.call('bank_a_accounts', {
    request_id: randomUUID(),
    wait_seconds: 0,
  });
  await agent.call('job_cancel', { job_id: started.job_id });
  return agent.call('job_result', { job_id: started.job_id });
}

/** "Give me the whole statement": every page, as far as `next` leads. */
export async function readStatement(agent: Agent, account: Account, period: Period) {
  const rows: unknown[] = [];
  const pages: Page[] = [];
  const before = agent.tokens();
  let answer = await agent.finish('bank_b_transactions', { ...account, ...period });
  for (let read = before; ; read = agent.tokens()) {
    const { items } = Rows.parse(answer.data);
    const page = 'rows' in items ? items.rows : items;
    pages.push({ rows: page.length, tokens: agent.tokens() - read });
    rows.push(...page);
    const [more] = answer.next;
    if (!more) return { status: answer.status, rows, pages };
    answer = await agent.follow(more);
  }
}

/** What one answer brought, and what its call and it cost. */
interface Page {
  readonly rows: number;
  readonly tokens: number;
}

/** Many rows are returned as a table, few as objects. */
const Rows = z.object({
  items: z.union([z.object({ rows: z.array(z.unknown()) }), z.array(z.unknown())]),
});
