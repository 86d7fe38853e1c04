/**
 * Values that belong to institutions or to the caller: names inside them are not converted between the wire and
 * camelCase.
 */
export const OPAQUE_NAMES = [
  'params',
  'data',
  'encrypted_fields',
  'selected_assets',
  'pricing_hint',
  'rate_limit_hint',
  'metadata',
  'details',
  // WebAuthn defines these names.
  'public_key',
  'credential',
] as const;
