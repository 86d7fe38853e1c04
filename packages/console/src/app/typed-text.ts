/** What is given again rather than kept: passwords, one-time codes, and files, among them private keys. */
const PASSING =
  '[type=password], [type=file], [autocomplete=one-time-code], [name=authorization_code], [name=state]';

/** Whether a form of the page holds what its person has typed or chosen and what may wait. */
export function isAnythingEntered(): boolean {
  // A form that draws its fields anew, with what was entered as their start, says so itself.
  if (document.querySelector('form [data-entered]') !== null) return true;
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    `form textarea, form input:not(${PASSING}, [type=radio])`,
  );
  const selects = document.querySelectorAll<HTMLSelectElement>('form select');
  return [...fields].some(isChanged) || [...selects].some(isChosen);
}

function isChanged(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  const isCheckbox = field instanceof HTMLInputElement && field.type === 'checkbox';
  if (isCheckbox) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** A list that names no start begins with its first option. */
function isChosen({ options, selectedIndex }: HTMLSelectElement): boolean {
  const start = [...options].findIndex(({ defaultSelected }) => defaultSelected);
  return selectedIndex !== Math.max(start, options.length === 0 ? -1 : 0);
}

export function clearSecrets(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>(`input:is(${PASSING})`)) {
    field.value = '';
    // Where the page keeps the text itself, it learns of this as of typing.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
