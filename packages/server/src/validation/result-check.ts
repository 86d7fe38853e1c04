import type { CatalogueAction } from '@changgu/contract/catalogue';
import { type ShapeCheck, shapeCheck } from './shape-check.ts';

const checks = new WeakMap<CatalogueAction, ShapeCheck>();

/** What `result.data` violates of its action's schema, by place and never by value. */
export function resultViolations(action: CatalogueAction, data: unknown): string[] {
  const check = checks.get(action) ?? shapeCheck(action.result, ['data']);
  checks.set(action, check);
  return check(data).map(({ loc, type }) => `${loc.join('.')}: ${type}`);
}
