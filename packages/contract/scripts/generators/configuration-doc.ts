import { type AnyVariable, type Program, VARIABLES } from '../../src/environment.ts';
import { markdownTable } from './markdown.ts';

const PROGRAMS: Readonly<Record<Program, string>> = {
  server: '`changgu-server`',
  sdk: 'SDK',
  cli: '`changgu`',
  mcp: '`changgu-mcp`',
};

function row(variable: AnyVariable): readonly string[] {
  const { name, programs, kind, required, secret, description } = variable;
  return [
    `\`${name}${variable.perProvider ? '<PROVIDER>' : ''}\`${secret ? ' (secret)' : ''}`,
    programs.map((program) => PROGRAMS[program]).join(', '),
    kind.name,
    variable.default === null ? '–' : `\`${variable.default}\``,
    required?.en ?? '',
    description.en,
    description.ko,
  ];
}

/** `docs/configuration.md` */
export function generateConfigurationDoc(): string {
  const head = ['Name', 'Read by', 'Type', 'Default', 'Required', 'Meaning', '설명'];
  return `# Configuration

Every setting is an environment variable. An unknown \`CHANGGU_\` name is an error that suggests the closest known name; names of the other programs and Kubernetes service links (\`CHANGGU_PORT=tcp://…\`, \`*_SERVICE_HOST\`) are ignored. An empty value counts as absent. Secrets are never logged and never quoted in an error. [Operating Changgu](operations.md) explains how the settings work together.

${markdownTable(head, Object.values<AnyVariable>(VARIABLES).map(row))}`;
}
