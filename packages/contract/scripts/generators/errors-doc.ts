import { inTermsOf, NEXT_STEP_TERMS } from '../../src/errors/next-step.ts';
import { ERRORS, type ErrorDefinition } from '../../src/errors.ts';
import { markdownTable } from './markdown.ts';

const WHERE = { http: 'HTTP answer', job: '`job.error`', tool: 'tool protocol' } as const;

/** `docs/errors.md` */
export function generateErrorsDoc(): string {
  const rows = Object.entries<ErrorDefinition>(ERRORS).map(([code, error]) => [
    `\`${code}\``,
    code === 'VALIDATION_INVALID_FIELD' ? '422, 400' : (error.status?.toString() ?? '–'),
    error.retryable ? 'yes' : 'no',
    error.where.map((place) => WHERE[place]).join(', '),
    inBoth(error),
    inBoth(inTermsOf(error.nextStep, NEXT_STEP_TERMS.http)),
  ]);
  return `# Error codes

All error codes of the service. An HTTP answer has the code in \`error.code\`, a job that ended \`FAILED\` or \`TIMEOUT\` in \`job.error.code\`. Codes are stable, messages are not: branch on the code.

- **Retryable** says whether the same work may be submitted again, with a new \`Idempotency-Key\`: the old key returns the failed job. Actions that change something at an institution (issue, file, apply) are never retryable, whatever the code. One code depends on the case: \`CREDENTIAL_INVALID\` of a login for which no certificate is registered has \`retryable: true\`.
- \`VALIDATION_INVALID_FIELD\` is 422 if the shape of the request is wrong and 400 if its meaning is; \`error.fields\` names each field.
- \`error.next_action\` of an HTTP answer is the sentence under *What to do*, written for people. \`POST /mcp\`, the SDK (\`error.nextStep\`), the CLI and the MCP bridge give the same advice, each with its own name for the idempotency key.
- Messages are in Korean, or in English with \`Accept-Language: en\`.

${markdownTable(['Code', 'Status', 'Retryable', 'Where', 'Message', 'What to do'], rows)}`;
}

const inBoth = ({ ko, en }: { ko: string; en: string }) => `${en}<br>${ko}`;
