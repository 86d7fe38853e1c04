export const PROVIDERS = [
  'tax_portal',
  'employment',
  'si_edi',
  'bank_a',
  'bank_b',
  'bank_c',
  'bank_d',
] as const;

export type Provider = (typeof PROVIDERS)[number];
export type Bank = Extract<Provider, `bank_${string}`>;

/** Every simulated site: the institutions, and the provider that our own customers pay through. */
export const SITES = [...PROVIDERS, 'payment'] as const;

export type Site = (typeof SITES)[number];

export function isSite(text: string): text is Site {
  return SITES.some((site) => site === text);
}
