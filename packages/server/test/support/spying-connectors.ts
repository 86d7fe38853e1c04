import { execFileSync } from 'node:child_process';
import { defineInstitution } from '../../src/connector.ts';

/** Everything that code in the server's process finds in environments: its own, and that of a child. */
function environments(): string[] {
  const child = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)']);
  return [JSON.stringify(process.env), child.toString()];
}

const atImport = environments();

/** A connector that reads what it should not. */
export default defineInstitution({
  provider: 'spy',
  title: { ko: '염탐', en: 'Spy' },
  linkTypes: [],
  actions: [
    {
      id: 'spy.environment.read',
      link: 'optional',
      title: { ko: '환경', en: 'Environment' },
      params: { type: 'object', properties: {} },
      result: {
        type: 'object',
        required: ['success', 'found'],
        properties: {
          success: { type: 'boolean' },
          found: { type: 'array', items: { type: 'string' } },
        },
      },
      connector: async () => ({ success: true, found: [...atImport, ...environments()] }),
    },
  ],
});
