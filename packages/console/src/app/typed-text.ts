/** What is given again rather than kept: passwords, one-time codes, and files, among them private keys. */
const PASSING =
  '[type=password], [type=file], [autocomplete=one-time-code], [name=authorization_code], [name=state]';

/** Whether a form of the page holds text that its person has typed and that may wait. */
export function isTextTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    `form textarea, form input:not(${PASSING}, [type=checkbox], [type=radio])`,
  );
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

export function clearSecrets(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>(`input:is(${PASSING})`)) {
    field.value = '';
    // Where the page keeps the text itself, it learns of this as of typing.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
