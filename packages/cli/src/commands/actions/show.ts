import { type CatalogueAction, type JsonSchema, paramText } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads } from '../../command.ts';
import { findAction, SEE_ACTIONS } from '../../input/find-action.ts';
import { typesOf } from '../../input/param-value.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/shape.ts';
import { shellWord } from '../../output/shell-word.ts';
import { safeLine } from '../../terminal-text.ts';

const PARAM: Shape = {
  fields: ['name', 'type', 'required', 'about'],
  columns: ['name', 'type', 'required', 'about'],
  id: 'name',
  whole: ['type', 'required', 'about'],
};

/** Everything about an action: its purpose, cost and params, and a command that runs it. */
export const show = reads<[id: string]>(
  ({ output }) => (isJson(output.format) ? 'document' : PARAM),
  async (cli, id) => {
    const action = await findAction(cli, id);
    if (!action) throw usageError(cli.texts.input.unknownAction(id), SEE_ACTIONS);
    if (isJson(cli.output.format)) await cli.output.document(toWire(cli, action));
    else await print(cli, action);
    return undefined;
  },
);

async function print(cli: Cli, action: CatalogueAction): Promise<void> {
  const { output, language, texts } = cli;
  const rows = [...paramRows(cli, action), ...secretRows(cli, action)];
  if (output.format !== 'table') return output.list(rows, PARAM);
  const { title, description } = action;
  const head = [`${title[language]}  ${action.id}`, description[language], facts(cli, action)];
  for (const line of head) await output.paragraph(line);
  await output.text('\n');
  if (rows.length > 0) {
    await output.list(rows, PARAM);
    await output.text('\n');
  }
  await output.text(`${texts.help.examples}\n  $ ${safeLine(example(action))}\n`);
}

/** Warnings before running it. */
function facts({ texts }: Cli, action: CatalogueAction): string {
  const { actions } = texts;
  return [
    actions.tokens(action.usageTokens),
    ...(action.irreversible ? [actions.irreversible] : []),
    ...(action.loginAction === null ? [] : [actions.needsSession(action.loginAction)]),
    ...(action.selectsAccount ? [actions.selectsAccount] : []),
    ...(action.file ? [actions.makesFile] : []),
  ].join(' · ');
}

function paramRows({ language, output, texts }: Cli, { params }: CatalogueAction) {
  const required: readonly string[] = params.required ?? [];
  // Only people read the name of a type in their language.
  const nameOf = (type: string) => (output.format === 'table' ? texts.actions.type(type) : type);
  return Object.entries(params.properties).map(([name, schema]) => ({
    name,
    type: typeName(schema, nameOf),
    required: required.includes(name),
    about: paramText(schema, language),
  }));
}

function secretRows({ language }: Cli, { encryptedFields }: CatalogueAction) {
  return Object.entries(encryptedFields).map(([name, text]) => ({
    name,
    type: '--secret',
    required: false,
    about: text[language],
  }));
}

function typeName(schema: JsonSchema, nameOf: (type: string) => string): string {
  const { enum: values } = schema;
  return Array.isArray(values)
    ? [...new Set(values.map(String))].join(' | ')
    : typesOf(schema).map(nameOf).join(' | ');
}

/** A command that works unchanged, in sandbox. */
function example({ id, params }: CatalogueAction): string {
  const required: readonly string[] = params.required ?? [];
  const given = required.map(
    (name) => ` -p ${shellWord(`${name}=${exampleValue(params.properties[name])}`)}`,
  );
  return `changgu jobs submit ${id}${given.join('')} --wait`;
}

function exampleValue({ examples, enum: values, default: value }: JsonSchema = {}): string {
  const first = firstOf(examples) ?? firstOf(values) ?? value ?? 'A1';
  return typeof first === 'string' ? first : JSON.stringify(first);
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function toWire({ language }: Cli, action: CatalogueAction) {
  const { id, title, description, params, result, encryptedFields, ...facts } = action;
  return {
    action: id,
    title: title[language],
    description: description[language],
    ...facts,
    encrypted_fields: Object.keys(encryptedFields),
    params,
    result,
    example: example(action),
  };
}
