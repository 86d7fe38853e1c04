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
  const rows = operations.map(({ id, method, path, may, addition }) => [
    `\`${method} ${path}\``,
    `\`${id}\`${addition ? ' (addition)' : ''}`,
    ...COLUMNS.map((kind) => cell(may, kind)),
  ]);
  return `# Who may call what

A kind that is not named gets 403 \`AUTH_FORBIDDEN_PRINCIPAL\`; without valid credentials the answer is 401 \`AUTH_INVALID_CREDENTIALS\`. Nobody sees another organization's data: what is not the caller's answers 404.

- \`client\`: HTTP Basic with client id and secret. \`desktop_agent\` admits only keys of that integration profile.
- \`console_user\`: Bearer token of the console login. \`owner_or_admin\` refuses the organization role MEMBER.
- \`admin_user\`: Bearer token made by \`changgu-server admin token\`.
- \`legacy_api_key\`: header \`x-api-key\`; sees only jobs that it made.
- \`open\`: no credentials. Signed URLs and one-time tokens carry their own proof.
- (addition): not part of the specification; \`x-addition: true\` in the OpenAPI document.

${markdownTable(['Request', 'Operation', ...COLUMNS.map((kind) => `\`${kind}\``)], rows)}`;
}
