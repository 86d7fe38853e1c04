/** The wire of Changgu as plain types and tables: no dependency, no I/O. */
export * from './errors.ts';
export * from './job-states.ts';
export * from './limits.ts';
export * from './principals.ts';
