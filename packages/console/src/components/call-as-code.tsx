import type { EnvScope } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { serviceUrl } from '../app/router.ts';
import { shellText } from '../app/shell-text.ts';
import { visibleText } from '../app/visible-text.ts';
import { Button } from './button.tsx';
import { Code } from './code.tsx';

export interface Call {
  readonly action: string;
  readonly provider: string;
  readonly envScope: EnvScope;
  readonly params: Readonly<Record<string, unknown>>;
  /** Omitted or null: the service chooses one. */
  readonly link?: string | null;
}

const SAMPLES = { CLI: cli, SDK: sdk, curl } as const;
type Kind = keyof typeof SAMPLES;
// The keys of the table above.
const KINDS = Object.keys(SAMPLES) as Kind[];

/** The same call as a command, as code and as a plain request. */
export function CallAsCode(call: Call) {
  const kind = useSignal<Kind>('CLI');
  return (
    <div class="stack">
      <div class="tabs">
        {KINDS.map((each) => (
          <Button
            key={each}
            look="quiet"
            pressed={each === kind.value}
            onClick={() => (kind.value = each)}
          >
            {each}
          </Button>
        ))}
      </div>
      <Code label={kind.value} text={SAMPLES[kind.value](call)} />
    </div>
  );
}

const base = () => serviceUrl('').href.replace(/\/$/, '');

function cli({ action, envScope, params, link }: Call): string {
  const given = Object.entries(params).map(
    ([name, value]) => ` \\\n  -p ${shellText(`${name}=${textOf(value)}`)}`,
  );
  return `CHANGGU_BASE_URL=${base()} CHANGGU_ENV_SCOPE=${envScope} \\\n  changgu jobs submit ${action}${link ? ` --link ${shellText(link)}` : ''} --wait${given.join('')}`;
}

function sdk({ action, envScope, params, link }: Call): string {
  return `import { Changgu } from '@changgu/sdk';

const client = new Changgu({
  baseUrl: '${base()}',
  clientId: process.env.CHANGGU_CLIENT_ID,
  clientSecret: process.env.CHANGGU_CLIENT_SECRET,
  envScope: '${envScope}',
});
const job = await client.jobs.submit({
  action: '${action}',${link ? `\n  accountLinkId: '${link}',` : ''}
  params: ${visibleText(JSON.stringify(params, null, 2)).replaceAll('\n', '\n  ')},
});
const { data } = await job.result();`;
}

function curl({ action, provider, envScope, params, link }: Call): string {
  const body = JSON.stringify({
    provider,
    action,
    ...(link ? { account_link_id: link } : {}),
    params,
  });
  return `curl -u "$CHANGGU_CLIENT_ID:$CHANGGU_CLIENT_SECRET" ${base()}/v1/jobs \\
  -H 'Content-Type: application/json' -H 'X-Env-Scope: ${envScope}' \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d ${shellText(body)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
