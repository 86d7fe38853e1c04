/** Whether a form of the page holds text that its person has typed. Passwords do not count: they are typed again. */
export function isTextTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'form textarea, form input:not([type=password], [type=checkbox], [type=radio])',
  );
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

export function clearPasswords(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type=password]')) {
    field.value = '';
    // Where the page keeps the text itself, it learns of this as of typing.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
