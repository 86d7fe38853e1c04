import { call } from '../../api/call.ts';
import { parseJsonObject } from '../../app/parse-json-object.ts';
import { environment } from '../../app/preferences.ts';
import { navigate } from '../../app/router.ts';
import { TextArea } from '../../components/field.tsx';
import { refusedFields } from '../../components/field-errors.ts';
import { Form, textOf } from '../../components/form.tsx';
import { catalogTexts } from './catalog-texts.ts';

const KEY_MS = 10 * 60_000;

interface Props {
  readonly action: string;
  readonly provider: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Jobs are submitted with keys, so a try gets its own short-lived one, for the sandbox and this action only. */
export function TryAction({ action, provider, params }: Props) {
  const words = catalogTexts();
  return (
    <Form
      submitLabel={words.run}
      onSubmit={async (values) => {
        const jobId = await submitOnce(
          action,
          provider,
          parseJsonObject(textOf(values, 'params') ?? '{}'),
        );
        environment.value = 'sandbox';
        navigate(`jobs/${jobId}`);
      }}
    >
      <p class="faint wide">{words.tryAbout}</p>
      <TextArea label={words.json} name="params" value={JSON.stringify(params, null, 2)} rows={6} />
    </Form>
  );
}

async function submitOnce(action: string, provider: string, params: Record<string, unknown>) {
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
