/** Preferences of the Prefer header (RFC 7240); unknown ones are ignored. */
export interface Preferences {
  /** `wait=N`, in seconds. */
  readonly wait: number | null;
  /** `validate-only`: check, but do not submit. */
  readonly validateOnly: boolean;
}

const NONE: Preferences = { wait: null, validateOnly: false };

export function preferencesOf(header: string | string[] | undefined): Preferences {
  if (header === undefined) return NONE;
  const preferences = (Array.isArray(header) ? header.join(',') : header)
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';', 1)[0]?.trim() ?? '');
  const wait = preferences
    .map((each) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(each)?.[1])
    .find(Boolean);
  return {
    wait: wait === undefined ? null : Number(wait),
    validateOnly: preferences.includes('validate-only'),
  };
}
