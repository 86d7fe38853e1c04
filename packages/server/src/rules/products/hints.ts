import { type FieldViolation, invalidShape, invalidValue, MAX_FIELDS } from '../service-error.ts';
import { pathTo, walkJson } from '../submission/walk-json.ts';

/** Maximum size of one hint as JSON, in bytes of UTF-8. */
export const HINT_BYTES = 65_536;

/** The catalog and the plans decide policy, never a hint. */
const POLICY_KEYS = new Set([
  'usage_tokens',
  'quota',
  'limit',
  'plan',
  'tier',
  'env_scope',
  'allowed_env_scopes',
  'price',
  'paid_only',
  'irreversible',
]);

export type Hints = Readonly<Record<'pricing_hint' | 'rate_limit_hint' | 'metadata', unknown>>;

/**
 * Checks the free-form objects of a version.
 * @param at the location of the version in the body
 * @throws ServiceError 422 for a hint that is too large, 400 for one with a policy-deciding key
 */
export function checkHints(hints: Partial<Hints>, at: readonly (string | number)[]): void {
  const entries = Object.entries(hints).filter(([, hint]) => hint !== undefined);
  const tooLarge = entries
    .filter(([, hint]) => Buffer.byteLength(JSON.stringify(hint)) > HINT_BYTES)
    .map(([name]) => ({
      loc: [...at, name],
      msg: `The hint should have at most ${HINT_BYTES} bytes as JSON`,
      type: 'too_long',
    }));
  if (tooLarge.length > 0) throw invalidShape(tooLarge);
  const deciding = entries.flatMap(([name, hint]) => policyKeys(hint, [...at, name]));
  if (deciding.length > 0) throw invalidValue(deciding);
}

function policyKeys(hint: unknown, at: readonly (string | number)[]): FieldViolation[] {
  const found: FieldViolation[] = [];
  walkJson(hint, (_value, key, within) => {
    if (typeof key === 'number' || !POLICY_KEYS.has(key) || found.length >= MAX_FIELDS) return;
    const loc = [...at, ...pathTo(key, within)];
    found.push({ loc, msg: 'A hint must not decide a policy', type: 'value_error' });
  });
  return found;
}
