import type { ActionDefinition, InstitutionDefinition } from '../define-action.ts';
import { banks } from './bank.ts';
import { employment } from './employment.ts';
import { siEdi } from './si-edi.ts';
import { taxPortal } from './tax-portal.ts';

/** Every built-in institution, in catalog order. */
export const INSTITUTIONS: readonly InstitutionDefinition[] = [
  employment,
  siEdi,
  taxPortal,
  ...banks,
];

/** Every action, by its id. */
export const ACTIONS: ReadonlyMap<string, ActionDefinition> = new Map(
  INSTITUTIONS.flatMap(({ actions }) => actions.map((action) => [action.id, action] as const)),
);
