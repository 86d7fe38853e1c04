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

export function isProvider(text: string): text is Provider {
  return PROVIDERS.some((provider) => provider === text);
}
