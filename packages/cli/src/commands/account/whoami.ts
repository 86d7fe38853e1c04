import { CliError } from '../../cli-error.ts';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/shape.ts';
import { listSettings } from './config.ts';

const IDENTITY: Shape = {
  fields: ['principal_kind', 'organization_id', 'membership_tier', 'plan_name', 'settings'],
  columns: ['principal_kind', 'organization_id'],
  id: 'organization_id',
};
const ROW: Shape = {
  fields: ['name', 'value', 'source'],
  columns: ['name', 'value', 'source'],
  id: 'value',
};

/** The identity at the service, and the source of each setting. Exits with 4 when not logged in. */
export const whoami = reads<[]>(
  ({ output }) => (isJson(output.format) ? IDENTITY : ROW),
  async (cli) => {
    const { source } = await cli.credentials();
    if (source === null) {
      throw new CliError('NOT_LOGGED_IN', cli.texts.login.needed, EXIT.forbidden, [
        'changgu login',
      ]);
    }
    const client = await cli.client('any');
    const { principalKind, organizationId, membershipTier, planName } = await client.membership.me(
      cli.call,
    );
    const settings = await listSettings(cli);
    const rows = [...settings, { name: 'credentials', value: '***', source }];
    if (isJson(cli.output.format)) {
      const facts = { principalKind, organizationId, membershipTier, planName };
      await cli.output.item({ ...facts, settings: rows }, IDENTITY);
      return undefined;
    }
    const facts = {
      principal_kind: principalKind,
      organization_id: organizationId,
      membership_tier: membershipTier,
      plan_name: planName,
    };
    const { sources } = cli.texts.config;
    await cli.output.list(
      [
        ...rows.map((row) => ({ ...row, source: row.source === null ? '' : sources[row.source] })),
        ...Object.entries(facts).map(([name, value]) => ({ name, value, source: '' })),
      ],
      ROW,
    );
    return undefined;
  },
);
