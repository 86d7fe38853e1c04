/**
 * Values that belong to institutions or to the caller: what is inside them keeps its names wherever the wire turns to
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
  // WebAuthn has names of its own.
  'public_key',
  'credential',
] as const;
