import type { FormFields } from '../connector.ts';
import { type FormCharset, formCharsetOf } from './charset.ts';
import {
  addressOf,
  ancestorsOf,
  elements,
  type PortalPage,
  required,
  type Selection,
  tagOf,
  textOf,
} from './page.ts';

export interface PortalForm {
  readonly name: string;
  /** Absolute address, at the institution. */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  /** The values that the untouched page would send; a repeated name has a list. */
  readonly fields: FormFields;
  readonly charset: FormCharset;
  /** Sent as multipart/form-data. */
  readonly multipart: boolean;
}

/** The button that submits the form. */
export interface Pressed {
  /** Selector of the button; null when a script submits the form. Default: its first submit button. */
  readonly button?: string | null;
}

/** A page's form with everything that it would send. */
export function readForm(page: PortalPage, selector: string, pressed: Pressed = {}): PortalForm {
  const form = required(page, selector);
  const button = pressedButton(page, form, pressed);
  const setting = (name: string) => button?.attr(`form${name}`) ?? form.attr(name);
  return {
    name: form.attr('id') ?? form.attr('name') ?? '',
    action: addressOf(page, setting('action') ?? ''),
    method: setting('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    fields: formFields(page, form, button),
    charset: charsetOfForm(form) ?? page.charset,
    multipart: setting('enctype')?.toLowerCase() === 'multipart/form-data',
  };
}

/** One value of a form; '' when it has no such field. */
export function fieldOf(form: Pick<PortalForm, 'fields'>, name: string): string {
  return [form.fields[name] ?? ''].flat().at(-1) ?? '';
}

function charsetOfForm(form: Selection): FormCharset | null {
  const labels = (form.attr('accept-charset') ?? '').split(/[\s,]+/);
  return labels.map(formCharsetOf).find((charset) => charset !== null) ?? null;
}

function pressedButton(page: PortalPage, form: Selection, { button }: Pressed): Selection | null {
  if (button === null) return null;
  if (button !== undefined) return required(page, button);
  const buttons = controlsOf(page, form, 'input, button').filter(
    (control) => isSubmit(control) && !isDisabled(control),
  );
  return buttons[0] ?? null;
}

function isSubmit(control: Selection): boolean {
  const type = control.attr('type')?.toLowerCase();
  if (tagOf(control) === 'button') return type === undefined || type === 'submit';
  return type === 'submit' || type === 'image';
}

/** Sent only when pressed, or never by us. */
const NOT_SENT = ['submit', 'button', 'image', 'reset', 'file'];

function formFields(
  page: PortalPage,
  form: Selection,
  button: Selection | null,
): Record<string, string | string[]> {
  const sent = new Map<string, string[]>();
  const add = (name: string, value: string) => {
    const known = sent.get(name);
    if (known === undefined) sent.set(name, [value]);
    else known.push(value);
  };
  for (const control of controlsOf(page, form, 'input[name], select[name], textarea[name]')) {
    if (isDisabled(control)) continue;
    for (const value of controlValues(page, control)) add(control.attr('name') ?? '', value);
  }
  for (const [name, value] of buttonFields(button)) add(name, value);
  return Object.fromEntries(
    Array.from(sent, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** An image sends the click position; with the keyboard, its corner. */
function buttonFields(button: Selection | null): [string, string][] {
  const name = button?.attr('name') ?? '';
  if (button === null) return [];
  if (button.attr('type')?.toLowerCase() === 'image') {
    const prefix = name === '' ? '' : `${name}.`;
    return [
      [`${prefix}x`, '0'],
      [`${prefix}y`, '0'],
    ];
  }
  return name === '' ? [] : [[name, button.attr('value') ?? '']];
}

/** Controls inside the form, and those elsewhere that refer to it. */
function controlsOf(page: PortalPage, form: Selection, selector: string): Selection[] {
  const id = form.attr('id');
  const inside = elements(page, form.find(selector)).filter((control) =>
    [undefined, id].includes(control.attr('form')),
  );
  if (id === undefined) return inside;
  const outside = elements(page, '[form]').filter(
    (control) =>
      control.attr('form') === id && control.is(selector) && control.closest(form).length === 0,
  );
  return [...inside, ...outside];
}

function isDisabled(control: Selection): boolean {
  if (control.attr('disabled') !== undefined) return true;
  return ancestorsOf(control).some(
    ({ name, attribs }) => name === 'fieldset' && attribs.disabled !== undefined,
  );
}

/** Empty where a browser would send nothing. */
function controlValues(page: PortalPage, control: Selection): string[] {
  if (tagOf(control) === 'textarea') return [control.text().replace(/^\r?\n/, '')];
  if (tagOf(control) === 'select') return chosenValues(page, control);
  const type = control.attr('type')?.toLowerCase() ?? '';
  if (NOT_SENT.includes(type)) return [];
  const isBox = ['radio', 'checkbox'].includes(type);
  if (isBox && control.attr('checked') === undefined) return [];
  return [control.attr('value') ?? (isBox ? 'on' : '')];
}

function chosenValues(page: PortalPage, select: Selection): string[] {
  const options = elements(page, select.find('option')).filter(
    (option) => option.attr('disabled') === undefined,
  );
  const chosen = options.filter((option) => option.attr('selected') !== undefined);
  if (select.attr('multiple') !== undefined) return chosen.map(optionValue);
  return [chosen.at(-1) ?? options[0]].flatMap((option) => option ?? []).map(optionValue);
}

function optionValue(option: Selection): string {
  return option.attr('value') ?? textOf(option);
}
