import type { Operation } from '../define-operation.ts';
import * as artifacts from './artifacts.ts';
import * as jobs from './jobs.ts';
import * as system from './system.ts';

const groups = [system, jobs, artifacts];

/** Every operation of the wire, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = groups.flatMap((group) =>
  Object.values(group).filter((value): value is Operation => 'may' in value && 'method' in value),
);

export { artifacts, jobs, system };
