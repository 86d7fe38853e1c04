import type { JsonObjectSchema } from '@changgu/contract/catalogue';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { parseJsonObject } from '../../app/parse-json-object.ts';
import { environment } from '../../app/preferences.ts';
import { navigate } from '../../app/router.ts';
import { ActButton } from '../../components/act-button.tsx';
import { TextArea } from '../../components/field.tsx';
import { refusedFields } from '../../components/field-errors.ts';
import { Form, textOf, textsOf } from '../../components/form.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { ParamFields } from './param-fields.tsx';
import { paramsIn, unshown } from './param-input.ts';

const KEY_MS = 10 * 60_000;

interface Props {
  readonly action: string;
  readonly provider: string;
  readonly params: Params;
  /** Of an action that no one has described, params are given as JSON only. */
  readonly schema: JsonObjectSchema | null;
}

type Params = Readonly<Record<string, unknown>>;

/** Jobs are submitted with keys, so a try gets its own short-lived one, for the sandbox and this action only. */
export function TryAction({ action, provider, params, schema }: Props) {
  const words = catalogTexts();
  const start = useSignal(params);
  const isJson = useSignal(schema === null);
  const modeSwitch = useRef<HTMLDivElement>(null);
  const given = (values: FormData) =>
    schema === null || isJson.peek()
      ? parseJsonObject('params', textOf(values, 'params') ?? '{}')
      : paramsIn(schema, (name) => textsOf(values, name));
  return (
    <Form
      submitLabel={words.run}
      mode={isJson.value ? 'json' : 'fields'}
      onSubmit={async (values) => {
        const jobId = await submitOnce(action, provider, given(values));
        environment.value = 'sandbox';
        navigate(`jobs/${jobId}`);
      }}
    >
      <p class="faint wide">{words.tryAbout}</p>
      {schema === null || isJson.value ? (
        <TextArea
          label={words.json}
          name="params"
          value={JSON.stringify(start.value, null, 2)}
          rows={6}
        />
      ) : (
        <ParamFields of={schema} params={start.value} />
      )}
      {schema === null || Object.keys(schema.properties).length === 0 ? null : (
        <div
          class="actions wide"
          ref={modeSwitch}
          data-entered={isSame(start.value, params) ? undefined : true}
        >
          <ActButton
            look="quiet"
            act={async () => {
              const form = modeSwitch.current?.closest('form');
              if (!form) return;
              const now = given(new FormData(form));
              if (isJson.peek()) assertShown(schema, now);
              start.value = now;
              isJson.value = !isJson.peek();
            }}
          >
            {isJson.value ? words.asForm : words.asJson}
          </ActButton>
        </div>
      )}
    </Form>
  );
}

function isSame(one: Params, other: Params): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @throws Error with a message for the person */
function assertShown(schema: JsonObjectSchema, params: Params): void {
  const names = unshown(schema, params);
  if (names.length > 0) throw new Error(catalogTexts().notInForm(names.join(', ')));
}

async function submitOnce(action: string, provider: string, params: Params) {
  const { client_id, client_secret } = await issueKey(action);
  try {
    const answer = await call('submitJob', {
      headers: {
        authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
        'x-env-scope': 'sandbox',
        'idempotency-key': crypto.randomUUID(),
      },
      body: { provider, action, params },
    });
    if ('job_id' in answer) return answer.job_id;
    throw new Error('the service accepted no job');
  } finally {
    // What became of the job matters more, and the key expires.
    await call('revokeAppCredential', {
      params: { client_id },
      body: { revoked_reason: null },
    }).catch(() => undefined);
  }
}

/** It expires, because a page that is closed meanwhile cannot revoke it. */
async function issueKey(action: string) {
  const body = { label: `console: ${action}`.slice(0, 100), allowed_actions: [action] };
  const expires_at = new Date(Date.now() + KEY_MS).toISOString();
  try {
    return await call('issueAppCredential', { body: { ...body, expires_at } });
  } catch (error) {
    const isPast = refusedFields(error).some(({ loc }) => loc.includes('expires_at'));
    if (!isPast) throw error;
    // The clock of this machine is slow, or the test clock of the service was moved.
    return call('issueAppCredential', { body });
  }
}
