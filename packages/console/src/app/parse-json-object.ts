import { texts } from './texts.ts';

const words = texts({
  ko: { refusal: 'JSON 객체여야 합니다.' },
  en: { refusal: 'This must be a JSON object.' },
});

/** @throws Error with a message for the person when it is not a JSON object */
export function parseJsonObject(text: string): Record<string, unknown> {
  const refusal = new Error(words().refusal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal;
  return { ...value };
}
