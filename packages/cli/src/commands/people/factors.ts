import type { FactorBegun, FactorList, FactorRemoved, RecoveryCodes } from '@changgu/sdk';
import type { WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import { askSecret } from '../../input/prompt.ts';
import { InputReader, withoutLastLineBreak } from '../../input/read-input.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

/** Proof of identity besides the login. The password is prompted for or read, never an argument. */
export interface ProofOptions {
  readonly passwordStdin?: true | undefined;
  readonly factorCode?: string | undefined;
}

const FACTOR: Shape = {
  fields: fieldsOf<FactorList['items'][number]>()([
    'factor_id',
    'kind',
    'label',
    'created_at',
    'last_used_on',
  ]),
  columns: ['factor_id', 'kind', 'label', 'last_used_on'],
  id: 'factor_id',
};

export const list = reads<[]>(FACTOR, async (cli) => {
  const client = await cli.client('console');
  const { items } = await client.factors.list(cli.call);
  await cli.output.list(items, FACTOR);
  return undefined;
});

const BEGUN: Shape = {
  fields: fieldsOf<FactorBegun>()(['factor_id', 'secret', 'otpauth_url']),
  columns: ['factor_id', 'secret', 'otpauth_url'],
  id: 'factor_id',
  whole: ['secret', 'otpauth_url'],
  keep: ['secret'],
};

/** The authenticator app gets its secret here; it is required from `confirm` on. */
export const add = writes<[options: ProofOptions & { readonly label?: string | undefined }]>(
  BEGUN,
  async (cli, { label, ...options }) => {
    const proof = await proofOf(cli, options);
    const client = await cli.client('console');
    const body = { kind: 'totp' as const, ...proof, ...(label === undefined ? {} : { label }) };
    const begun = await client.factors.add(body, cli.call);
    await cli.output.item(begun, BEGUN);
    const next = `changgu factors confirm ${begun.factorId}`;
    await cli.notes.next(cli.texts.accounts.confirmFactor, [next]);
    return undefined;
  },
);

const CODES: Shape = {
  fields: fieldsOf<RecoveryCodes>()(['recovery_codes']),
  columns: ['recovery_codes'],
  id: 'recovery_codes',
  whole: ['recovery_codes'],
  keep: ['recovery_codes'],
};

export const confirm = writes<
  [factorId: string, options: { readonly factorCode?: string | undefined }]
>(CODES, async (cli, factorId, { factorCode }) => {
  const code = factorCode ?? (await askSecret(cli, cli.texts.login.askFactorCode, '--factor-code'));
  const client = await cli.client('console');
  await cli.output.item(await client.factors.confirm(factorId, { code }, cli.call), CODES);
  await cli.notes.info(cli.texts.accounts.codesOnce);
  return undefined;
});

const REMOVED: Shape = {
  fields: fieldsOf<FactorRemoved>()(['factor_id', 'status']),
  columns: ['factor_id', 'status'],
  id: 'factor_id',
};

export const remove = writes<[factorId: string, options: ProofOptions]>(
  REMOVED,
  async (cli, factorId, options) => {
    await cli.confirm(async () => cli.texts.accounts.removeFactorAsk);
    const proof = await proofOf(cli, options);
    const client = await cli.client('console');
    await cli.output.item(await client.factors.remove(factorId, proof, cli.call), REMOVED);
    return undefined;
  },
);

async function proofOf(cli: WritingCli, { passwordStdin, factorCode }: ProofOptions) {
  const password = passwordStdin
    ? withoutLastLineBreak(await new InputReader(cli.io, cli.texts).text('-', '--password-stdin'))
    : await askSecret(cli, cli.texts.accounts.askOwnPassword, '--password-stdin');
  if (password === '') throw usageError(cli.texts.input.emptyValue('--password-stdin'));
  return { password, ...(factorCode === undefined ? {} : { factorCode }) };
}
