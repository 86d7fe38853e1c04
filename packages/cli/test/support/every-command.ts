import { randomUUID } from 'node:crypto';
import type { Service } from './service.ts';

/** Every command with arguments that would make it act. `LINK`, `ACCOUNT` and `JOB` stand for what exists. */
export const READING = [
  'jobs list',
  'jobs get JOB',
  'jobs wait JOB',
  'jobs watch JOB',
  'jobs result JOB',
  'runs list',
  'runs show',
  'runs prune',
  'actions list',
  'actions show bank_b.accounts.list',
  'artifacts list JOB',
  'links list',
  'links get LINK',
  'bank-accounts list LINK',
  'bank-accounts get LINK ACCOUNT',
  'whoami',
  'profiles list',
  'config list',
  'config get profile',
  'config path',
  'app-credentials list',
  'audit list',
  'audit export',
  'receipts list',
  'receipts verify receipts.jsonl',
  'members list',
  'members invitations',
  'sessions list',
  'factors list',
  'membership',
  'products list',
  'products get 1',
  'invoices list',
  'webhooks list',
  'webhooks show WEBHOOK',
  'webhooks deliveries WEBHOOK',
  'invoices get 1',
  'encrypt',
  'keys',
  'commands',
  'doctor',
  'open docs',
];

export const WRITING = [
  'jobs submit bank_b.accounts.transaction_history.search --secret account_password=@-',
  'jobs cancel JOB',
  'all-accounts run bank_b.accounts.transaction_history.search',
  'artifacts delete JOB',
  'links create bank_b --login --secret login_id=@- --secret login_password=@id.txt',
  'links unlink LINK',
  'links consent-url bank_d',
  'links select LINK {}',
  'bank-accounts add LINK --secret account_no=@id.txt --secret account_password=@-',
  'bank-accounts password LINK ACCOUNT --secret account_password=@-',
  'bank-accounts default LINK ACCOUNT',
  'bank-accounts remove LINK ACCOUNT',
  'login --email someone@example.com --password-stdin',
  'logout',
  'profiles use default',
  'profiles rename default other',
  'profiles remove default',
  'config set env_scope sandbox',
  'members invite someone@example.com',
  'members revoke-invitation INVITATION',
  'members set-role 1 ADMIN',
  'members remove 1',
  'members hand-over 1',
  'sessions end SESSION',
  'factors add --password-stdin',
  'factors confirm FACTOR --factor-code 123456',
  'factors remove FACTOR --password-stdin',
  'app-credentials issue nightly',
  'app-credentials rotate cli_x',
  'app-credentials revoke cli_x',
  'webhooks create https://receiver.example/hook --type job.finished',
  'webhooks rotate whk_x',
  'webhooks test whk_x',
  'webhooks replay whk_x --from 1h',
  'webhooks delete whk_x',
  'webhooks listen --forward http://localhost:3000/hook',
  'sandbox start --port 0',
  'mcp start',
  'mcp install codex',
  'api POST /v1/jobs -f action=x',
];

/** They have nothing to act on here: `resume` needs a run that is open, `download` a file; `tail` does not end. */
export const ELSEWHERE = [
  'all-accounts resume',
  'artifacts download',
  'receipts download',
  'events tail',
  'completion',
];

export type Placeholders = Readonly<Record<string, string>>;

/** What the placeholders stand for: a finished job, a link with an account. Logs in to the console. */
export async function thingsToActOn({ home, server }: Service): Promise<Placeholders> {
  const { email, password } = server.console;
  await home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const idOf = async (...argv: string[]) =>
    (await home.run([...argv, '-o', 'id'])).stdout.split('\n')[0] ?? '';
  const link = await idOf('links', 'list', '--provider', 'bank_b');
  const job = await idOf('jobs', 'submit', 'bank_a.accounts.list');
  await home.run(['jobs', 'wait', job]);
  return {
    LINK: link,
    ACCOUNT: await idOf('bank-accounts', 'list', link),
    FACTOR: randomUUID(),
    JOB: job,
  };
}

export function wordsOf(line: string, placeholders: Placeholders): readonly string[] {
  return line.split(' ').map((word) => placeholders[word] ?? word);
}
