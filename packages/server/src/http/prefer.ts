/** What the Prefer header asks for (RFC 7240); what is not understood is ignored. */
export interface Preferences {
  /** `wait=N`, in seconds (D137). */
  readonly wait: number | null;
  /** `validate-only` (D19). */
  readonly validateOnly: boolean;
}

export function preferencesOf(header: string | string[] | undefined): Preferences {
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? ''))
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
