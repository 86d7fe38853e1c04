import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { FieldViolation } from '../service-error.ts';
import { typeFinding } from '../type-finding.ts';

type Inputs = ReadonlyMap<string, ReadonlySet<string>>;

/** Violations of a selection: only inputs of the provider's actions can be selected, in their type. */
export function assetViolations(
  actions: readonly Pick<CatalogueAction, 'params'>[],
  assets: Readonly<Record<string, unknown>>,
): FieldViolation[] {
  const inputs = inputsOf(actions);
  return Object.entries(assets).flatMap(([key, value]) => {
    const loc = ['body', 'selected_assets', key];
    const types = inputs.get(key);
    if (types === undefined) {
      const msg =
        inputs.size === 0
          ? 'The provider has nothing that can be selected'
          : `Input should be one of ${[...inputs.keys()].join(', ')}`;
      return [{ loc, msg, type: 'value_error' }];
    }
    if (isOfType(value, types)) return [];
    return [{ loc, ...typeFinding([...types]) }];
  });
}

/** Inputs of several actions with the same name may have either type. */
function inputsOf(actions: readonly Pick<CatalogueAction, 'params'>[]): Inputs {
  const inputs = new Map<string, Set<string>>();
  for (const { params } of actions) {
    for (const [key, { type }] of Object.entries(params.properties ?? {})) {
      const types = inputs.get(key) ?? new Set();
      for (const each of [type].flat()) if (typeof each === 'string') types.add(each);
      inputs.set(key, types);
    }
  }
  return inputs;
}

function isOfType(value: unknown, types: ReadonlySet<string>): boolean {
  // A custom institution may leave a param's type open.
  if (types.size === 0) return true;
  if (Number.isInteger(value) && types.has('integer')) return true;
  return types.has(typeOf(value));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
