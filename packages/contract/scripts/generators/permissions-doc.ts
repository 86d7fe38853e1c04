import type { Operation } from '../../src/define-operation.ts';
import type { May } from '../../src/principals.ts';
import { markdownTable } from './markdown.ts';

const COLUMNS = ['client', 'console_user', 'admin_user', 'legacy_api_key'] as const;

function cell(may: May, kind: (typeof COLUMNS)[number]): string {
  if (may === 'anyone') return 'open';
  const value = may[kind];
  if (value === undefined) return '';
  return value === true ? 'yes' : `\`${value}\``;
}

/** `docs/permissions.md` */
export function generatePermissionsDoc(operations: readonly Operation[]): string {
  const rows = operations.map(({ id, method, path, may, scope, addition }) => [
    `\`${method} ${path}\``,
    `\`${id}\`${addition ? ' (addition)' : ''}`,
    ...COLUMNS.map((kind) => cell(may, kind)),
    scope === undefined ? '' : `\`${scope}\``,
  ]);
  return `# Who may call what

The columns are kinds of callers; an empty cell answers 403 \`AUTH_FORBIDDEN_PRINCIPAL\`. Without valid credentials the answer is 401 \`AUTH_INVALID_CREDENTIALS\`. Data of another organization answers 404, as if it did not exist.

- \`client\`: HTTP Basic with client id and secret. \`desktop_agent\` admits only keys with that integration profile, \`manage_webhooks\` only keys issued with that right.
- \`console_user\`: Bearer token from the console login. The cell names the least role: MEMBER, ADMIN or OWNER.
- \`admin_user\`: Bearer token from \`changgu-server admin token\`.
- \`legacy_api_key\`: header \`x-api-key\`; sees only jobs that it created.
- \`scope\`: what an OAuth token needs; it calls as a \`client\`, and where the cell is empty not at all. Too narrow a token gets 403 \`AUTH_INSUFFICIENT_SCOPE\`.
- \`open\`: no credentials needed. Signed URLs and one-time tokens carry their own proof.
- (addition): goes beyond the [base specification](specification/README.md); \`x-addition: true\` in the OpenAPI document.

${markdownTable(['Request', 'Operation', ...COLUMNS.map((kind) => `\`${kind}\``), '`scope`'], rows)}`;
}
