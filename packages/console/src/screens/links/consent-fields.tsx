import type { ConsentUrlRequest } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { TextField } from '../../components/field.tsx';
import { registerTexts } from './register-texts.ts';

/** The person consents at the institution itself and enters two one-time values here. */
export function ConsentFields({ request }: { readonly request: ConsentUrlRequest }) {
  const words = registerTexts();
  const address = useSignal<string | null>(null);
  const failure = useSignal<Error | null>(null);
  async function start() {
    failure.value = null;
    try {
      const { consent_url: url } = await call('createConsentUrl', { body: request });
      address.value = /^https?:/.test(url) ? url : null;
    } catch (error) {
      failure.value = error instanceof Error ? error : new Error(String(error));
    }
  }
  return (
    <>
      <div class="stack wide">
        <p>{words.consentAbout}</p>
        {failure.value === null ? null : <ErrorNotice error={failure.value} />}
        {address.value === null ? (
          <div class="actions">
            <Button onClick={start}>{words.consentStart}</Button>
          </div>
        ) : (
          <a href={address.value} target="_blank" rel="noopener noreferrer">
            {words.consentOpen}
          </a>
        )}
      </div>
      <TextField label={words.code} name="authorization_code" required autocomplete="off" />
      <TextField label={words.state} name="state" required autocomplete="off" />
    </>
  );
}
