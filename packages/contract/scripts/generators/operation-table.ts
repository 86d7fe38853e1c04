import type { Operation } from '../../src/define-operation.ts';

/** What the console needs to know about an operation at run time: how to call it, and who may. */
export function generateOperationTable(operations: readonly Operation[]): string {
  const rows = operations
    .filter(({ path, may }) => path.startsWith('/v1/') && (may === 'anyone' || isForConsole(may)))
    .map(({ id, method, path, may }) => `  ${id}: ['${method}', '${path}'${roles(may)}],\n`);
  return `/** Method, path, least role in an organization ('' for none), and whether operators may call it. */
export const OPERATION_TABLE = {
${rows.join('')}} as const;
`;
}

/** Jobs are submitted with keys; the console uses one that it has issued. */
function isForConsole({ client, console_user, admin_user }: Exclude<Operation['may'], 'anyone'>) {
  return client === true || console_user !== undefined || admin_user === true;
}

function roles(may: Operation['may']): string {
  if (may === 'anyone') return ", 'anyone', true";
  return `, '${may.console_user ?? ''}', ${may.admin_user === true}`;
}
