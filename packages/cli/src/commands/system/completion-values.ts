import { type CatalogueAction, loadCatalogue, paramText, valueText } from '@changgu/sdk/catalogue';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { readConfigFile } from '../../config/config-file.ts';
import { locate } from '../../config/locations.ts';
import { PROFILE_KEYS } from '../../config/profile.ts';
import { HOSTS } from '../../hosts.ts';
import { itemsOf } from '../../input/param-value.ts';
import type { Place } from '../../input/place.ts';
import { listRuns } from '../../journal/run-store.ts';
import type { CompletionRequest } from './completion.ts';

export interface Answer {
  readonly value: string;
  readonly about: string;
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** Null where a file name is possible. */
export async function answersFor(
  program: CommandUnknownOpts,
  { command, given, optionName, current }: Place,
  request: CompletionRequest,
): Promise<Answer[] | null> {
  if (optionName !== null) {
    const option = [...command.options, ...program.options].find(({ long }) => long === optionName);
    if (option?.argChoices) return plain(option.argChoices);
    return valuesOfOption(optionName, given, current, request);
  }
  if (current.startsWith('-')) {
    const options = [...command.options, ...program.options].filter(({ hidden }) => !hidden);
    return options.map(({ long, short, description }) => ({
      value: long ?? short ?? '',
      about: description,
    }));
  }
  if (command.commands.length > 0) {
    return command.commands.map((sub) => ({ value: sub.name(), about: sub.description() }));
  }
  const argument = command.registeredArguments[given.length] ?? command.registeredArguments.at(-1);
  if (argument?.argChoices) return plain(argument.argChoices);
  return argument ? valuesOfArgument(command, argument.name(), request) : [];
}

async function valuesOfArgument(
  command: CommandUnknownOpts,
  name: string,
  request: CompletionRequest,
): Promise<Answer[] | null> {
  const group = command.parent?.name();
  if (group === 'profiles') return profiles(request);
  if (group === 'config' && name === 'name') return plain(PROFILE_KEYS);
  switch (name) {
    case 'action':
      return actions(request);
    case 'provider':
      return providers(request);
    case 'run':
      return runs(request);
    case 'host':
      return plain(HOSTS);
    case 'shell':
      return plain(SHELLS);
    case 'assets':
      return null;
    default:
      return [];
  }
}

async function valuesOfOption(
  option: string,
  given: readonly string[],
  current: string,
  request: CompletionRequest,
): Promise<Answer[] | null> {
  switch (option) {
    case '--profile':
      return profiles(request);
    case '--provider':
      return providers(request);
    case '--run':
      return runs(request);
    case '--param':
      return params(await actionOf(given), current, request);
    case '--secret':
      return secrets(await actionOf(given), request);
    case '--config':
    case '--cert':
    case '--key':
    case '--to':
    case '--data':
    case '--params':
    case '--demo':
    case '--data-dir':
      return null;
    default:
      return [];
  }
}

function plain(values: readonly string[]): Answer[] {
  return values.map((value) => ({ value, about: '' }));
}

async function actions({ language }: CompletionRequest): Promise<Answer[]> {
  const { actions: all } = await loadCatalogue();
  return [...all.values()].map(({ id, title }) => ({ value: id, about: title[language] }));
}

async function providers({ language }: CompletionRequest): Promise<Answer[]> {
  const { institutions } = await loadCatalogue();
  return institutions.map(({ provider, title }) => ({ value: provider, about: title[language] }));
}

async function profiles({ io, texts }: CompletionRequest): Promise<Answer[]> {
  const { configFile } = locate(io, undefined);
  const { profiles: all } = await readConfigFile(configFile, texts);
  return Object.entries(all).map(([value, { base_url }]) => ({ value, about: base_url ?? '' }));
}

async function runs({ io }: CompletionRequest): Promise<Answer[]> {
  const names = await listRuns(locate(io, undefined).runsDir);
  return plain(['last', ...names.toReversed()]);
}

async function actionOf([id = '']: readonly string[]): Promise<CatalogueAction | undefined> {
  return (await loadCatalogue()).actions.get(id);
}

/** `name=` with its possible values. */
function params(
  action: CatalogueAction | undefined,
  current: string,
  { language }: CompletionRequest,
): Answer[] {
  const properties = action?.params.properties ?? {};
  const [name = '', ...rest] = current.split('=');
  if (rest.length === 0) {
    return Object.entries(properties).map(([key, schema]) => ({
      value: `${key}=`,
      about: paramText(schema, language),
    }));
  }
  const param = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const schema = itemsOf(param) ?? param ?? {};
  const values = new Set(Array.isArray(schema.enum) ? schema.enum.map(String) : []);
  return [...values].map((value) => ({
    value: `${name}=${value}`,
    about: valueText(schema, value, language) ?? '',
  }));
}

function secrets(action: CatalogueAction | undefined, { language }: CompletionRequest): Answer[] {
  const fields = Object.entries(action?.encryptedFields ?? {});
  return fields.map(([name, text]) => ({ value: name, about: text[language] }));
}
