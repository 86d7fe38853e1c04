import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export const LANGUAGES = ['ko', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ['system', 'light', 'dark'] as const;

/** The page's only key in the browser's storage. It contains preferences, never credentials. */
const STORED = 'changgu.preferences';

const stored = readStored();

export const language = signal<Language>(
  oneOf(LANGUAGES, stored.language) ?? (navigator.language.startsWith('ko') ? 'ko' : 'en'),
);
export const theme = signal<Theme>(oneOf(THEMES, stored.theme) ?? 'system');
export const environment = signal<EnvScope>(oneOf(ENV_SCOPES, stored.environment) ?? 'sandbox');

/** Applies the preferences to the page and stores them for the next visit. */
export function applyPreferences(): void {
  effect(() => {
    const { documentElement: html } = document;
    html.lang = language.value;
    html.dataset.theme = theme.value;
    const choices = {
      language: language.value,
      theme: theme.value,
      environment: environment.value,
    };
    try {
      localStorage.setItem(STORED, JSON.stringify(choices));
    } catch {
      // Without storage, everything still works.
    }
  });
}

function readStored(): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((each) => each === value);
}
