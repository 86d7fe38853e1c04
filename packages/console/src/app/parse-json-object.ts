import { FieldError } from '../components/field-errors.ts';
import { texts } from './texts.ts';

const words = texts({
  ko: { refusal: 'JSON 객체여야 합니다.' },
  en: { refusal: 'This must be a JSON object.' },
});

/** What is in a field. @throws FieldError when it is not a JSON object */
export function parseJsonObject(field: string, text: string): Record<string, unknown> {
  const refusal = new FieldError(field, words().refusal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal;
  return { ...value };
}
