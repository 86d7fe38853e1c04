/**
 * Shows the button where the browser has passkeys, and sends the form with the authenticator's answer in it. Its
 * own address says where the service is, also below a prefix.
 */
export const PASSKEY_SCRIPT = `'use strict';
(() => {
  const options = new URL('passkey/options', document.currentScript.src);
  const button = document.querySelector('button[value=passkey]');
  const field = document.querySelector('input[name=passkey]');
  const isBareAddress = /^[\\d.]+$|^\\[/.test(location.hostname);
  const parse = window.PublicKeyCredential?.parseRequestOptionsFromJSON;
  if (!button || !field || isBareAddress || !parse) return;
  button.hidden = false;
  async function ask() {
    const answer = await fetch(options, { method: 'POST' });
    if (!answer.ok) return;
    const { attempt, public_key } = await answer.json();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(public_key);
    const { id, rawId, type, response } = (await navigator.credentials.get({ publicKey })).toJSON();
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    field.value = JSON.stringify({
      attempt,
      credential: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature, userHandle },
      },
    });
    // A form does not send the value of a disabled button.
    button.disabled = false;
    button.form.requestSubmit(button);
  }
  button.addEventListener('click', (event) => {
    if (field.value !== '') return;
    event.preventDefault();
    button.disabled = true;
    ask()
      .catch(() => {})
      .finally(() => {
        button.disabled = false;
      });
  });
})();
`;

/** In a form: what the script fills in, and the button that it shows. */
export function passkeyButton(label: string): string {
  return `<input type="hidden" name="passkey"><button name="decision" value="passkey" formnovalidate hidden>${label}</button>`;
}

/** For the head of a page. `up` leads to `/v1`. */
export function passkeyScript(up: string): string {
  return `<script src="${up}auth/passkey.js" defer></script>`;
}
