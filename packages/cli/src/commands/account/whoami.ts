import type { Cli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT } from '../../exit-codes.ts';
import { isJson } from '../../output/format.ts';
import { listSettings } from './config.ts';

/** Who this is to the service, and where each setting came from. 4 when nobody is logged in. */
export async function whoami(cli: Cli): Promise<undefined> {
  const { source } = await cli.credentials();
  if (source === null) {
    throw new CliError('NOT_LOGGED_IN', cli.texts.login.needed, EXIT.forbidden, ['changgu login']);
  }
  const client = await cli.client('any');
  const { principalKind, organizationId, membershipTier, planName } = await client.membership.me(
    cli.call,
  );
  const facts = { principalKind, organizationId, membershipTier, planName };
  const settings = await listSettings(cli);
  const rows = [...settings, { name: 'credentials', value: '***', source }];
  if (isJson(cli.output.format)) {
    await cli.output.item({ ...facts, settings: rows }, { columns: [], id: 'organization_id' });
    return;
  }
  await cli.output.list(
    [
      ...rows.map(({ name, value, source: from }) => ({
        name,
        value,
        source: from === null ? '' : cli.texts.config.sources[from],
      })),
      ...Object.entries(facts).map(([name, value]) => ({ name: snake(name), value, source: '' })),
    ],
    { columns: ['name', 'value', 'source'], id: 'value' },
  );
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
