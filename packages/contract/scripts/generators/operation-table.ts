import type { Operation } from '../../src/define-operation.ts';

/** What the console needs to know of an operation at run time: how to call it, and who may. */
export function generateOperationTable(operations: readonly Operation[]): string {
  const rows = operations
    .filter(({ path, may }) => path.startsWith('/v1/') && (may === 'anyone' || isForPeople(may)))
    .map(({ id, method, path, may }) => `  ${id}: ['${method}', '${path}'${roles(may)}],\n`);
  return `/** Method, path, least role in an organization ('' for none), and whether operators may call it. */
export const OPERATION_TABLE = {
${rows.join('')}} as const;
`;
}

function isForPeople(may: Exclude<Operation['may'], 'anyone'>): boolean {
  return may.console_user !== undefined || may.admin_user === true;
}

function roles(may: Operation['may']): string {
  if (may === 'anyone') return ", 'anyone', true";
  return `, '${may.console_user ?? ''}', ${may.admin_user === true}`;
}
