import type { CatalogueAction, JsonSchema } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { findAction } from '../../input/find-action.ts';
import { typesOf } from '../../input/param-value.ts';
import { isJson } from '../../output/format.ts';
import { safeLine } from '../../terminal-text.ts';

/** All about an action: what it does, its params, and a command that runs it. */
export async function show(cli: Cli, id: string): Promise<undefined> {
  const action = await findAction(cli, id);
  if (!action) throw usageError(cli.texts.input.unknownAction(id), cli.texts.input.seeActions);
  if (isJson(cli.output.format)) {
    await cli.output.document(toWire(cli, action));
    return;
  }
  const { title, description } = action;
  const head = [`${title[cli.language]}  ${action.id}`, description[cli.language]];
  await cli.output.text(`${head.map(safeLine).join('\n')}\n\n`);
  const rows = [...paramRows(action), ...secretRows(cli, action)];
  if (rows.length > 0) {
    await cli.output.list(rows, { columns: ['name', 'type', 'required', 'about'], id: 'name' });
  }
  await cli.output.text(`\n${cli.texts.help.examples}\n  $ ${safeLine(example(action))}\n`);
}

function paramRows({ params }: CatalogueAction) {
  const required: readonly string[] = params.required ?? [];
  return Object.entries(params.properties).map(([name, schema]) => ({
    name,
    type: typeName(schema),
    required: required.includes(name),
    about: schema.description ?? '',
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

function typeName(schema: JsonSchema): string {
  const { enum: values } = schema;
  return Array.isArray(values)
    ? [...new Set(values.map(String))].join(' | ')
    : typesOf(schema).join(' | ');
}

/** A command that works as it stands, in sandbox. */
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

/** Quoted where a shell would read more than text in it. */
function shellWord(text: string): string {
  return /^[\p{L}\p{N}_=.,:@/+-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
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
