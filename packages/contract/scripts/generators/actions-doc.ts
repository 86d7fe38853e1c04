import type { ActionDefinition, InstitutionDefinition } from '../../src/define-action.ts';
import { markdownTable } from './markdown.ts';

/** `docs/actions.md` */
export function generateActionsDoc(institutions: readonly InstitutionDefinition[]): string {
  return `# Actions

All actions of all institutions. The \`provider\` of a job is the first segment of the action's id. In \`sandbox\` every result is \`{"mock": true, "params_echo": {…}}\`; the fields below are those of \`real_test\` and \`production\`. Params that are not listed here are accepted and passed on.

${institutions.map(sectionOf).join('\n')}`;
}

function sectionOf({ provider, title, linkTypes, actions }: InstitutionDefinition): string {
  return `## ${title.en} (${title.ko})

\`${provider}\`, linked by ${linkTypes.map((type) => `\`${type}\``).join(' or ')}.

${actions.map(actionOf).join('\n')}`;
}

function actionOf(action: ActionDefinition): string {
  const params = fieldsOf(action.params, 'Param');
  const encrypted = Object.entries(action.encryptedFields).map(([name, { en, ko }]) => [
    `\`${name}\``,
    `${en} ${ko}`,
  ]);
  return [
    `### \`${action.id}\`\n`,
    `${action.title.en} (${action.title.ko}). ${action.description.en}\n`,
    `${action.description.ko}\n`,
    `${factsOf(action).join(' · ')}\n`,
    ...(params ? [params] : ['No params.\n']),
    ...(encrypted.length ? [markdownTable(['Encrypted field', 'Meaning'], encrypted)] : []),
    fieldsOf(action.result, 'Result field'),
  ].join('\n');
}

function factsOf(action: ActionDefinition): readonly string[] {
  return [
    `${action.usageTokens} ${action.usageTokens === 1 ? 'token' : 'tokens'}`,
    `${action.timeoutSeconds} s`,
    `link ${action.link}`,
    ...(action.loginAction ? [`after \`${action.loginAction}\``] : []),
    ...(action.selectsAccount ? ['selects an account'] : []),
    ...(action.irreversible ? ['irreversible'] : []),
    ...(action.ownerKind ? [`${action.ownerKind} owners only`] : []),
    ...(action.file ? [action.file.format === 'any' ? 'file' : `.${action.file.format}`] : []),
    ...(action.publicTool ? [] : ['no public tool']),
  ];
}

/** The keywords that the tables show. */
interface Described {
  readonly description?: string;
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Described[];
}

/** The fields of an object, nested ones by their path; empty when it has none. */
function fieldsOf(schema: Described, head: string): string {
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? '' : markdownTable([head, 'Type', 'Required', 'Meaning'], rows);
}

function rowsOf(schema: Described, prefix: string): readonly (readonly string[])[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const [object = field] = field.anyOf ?? [];
    const path = `${prefix}${name}`;
    const row = [
      `\`${path}\``,
      typeOf(field),
      required.includes(name) ? 'yes' : '',
      `${object.description ?? ''}${defaultOf(field)}`,
    ];
    return [row, ...rowsOf(object, `${path}.`), ...rowsOf(object.items ?? {}, `${path}[].`)];
  });
}

function typeOf(schema: Described): string {
  const { type, enum: values, anyOf } = schema;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (Array.isArray(values) && values.length <= 4) {
    return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  }
  return [type].flat().join(' or ');
}

function defaultOf({ default: value }: Described): string {
  return value === undefined ? '' : ` (default \`${JSON.stringify(value)}\`)`;
}
