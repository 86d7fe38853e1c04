import { signal } from '@preact/signals';
import { language } from './preferences.ts';

const korean = signal<((said: string) => string) | null>(null);

/** What the service says of a field, which is English on the wire. Other languages are loaded when they are needed. */
export function fieldMessage(said: string): string {
  if (language.value === 'en') return said;
  if (korean.value === null) void load();
  return korean.value?.(said) ?? said;
}

async function load(): Promise<void> {
  try {
    korean.value = (await import('@changgu/contract/field-messages-ko')).fieldMessageKo;
  } catch {
    // In English, it is still said.
  }
}
