import type { ActionFacts } from '../action.ts';
import type { JsonSchema } from '../json-schema.ts';

/** The parts of an action that the document shows: built-in and custom ones. */
export interface DescribedAction
  extends Pick<ActionFacts, 'id' | 'provider' | 'title' | 'usageTokens'> {
  readonly params: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[] | undefined;
  };
}

export interface DescribedInstitution {
  readonly actions: readonly DescribedAction[];
}

/** One submission per action, as examples of the request body. */
export function actionExamples(
  institutions: readonly DescribedInstitution[],
): Readonly<Record<string, JsonSchema>> {
  const actions = institutions.flatMap((institution) => institution.actions);
  return Object.fromEntries(actions.map((action) => [action.id, exampleOf(action)]));
}

/** The actions as a Markdown table. */
export function actionTable(institutions: readonly DescribedInstitution[]): string {
  const rows = institutions.flatMap((institution) =>
    institution.actions.map(({ id, title, usageTokens, params }) => {
      const required: readonly string[] = params.required ?? [];
      return `| \`${id}\` | ${title.en} (${title.ko}) | ${usageTokens} | ${required.join(', ')} |`;
    }),
  );
  return [
    '| Action | What it does | Tokens | Required params |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Params in an example: the required ones, and those with an example of their own. */
export function exampleParams({
  params,
}: Pick<DescribedAction, 'params'>): Readonly<Record<string, unknown>> {
  const required: readonly string[] = params.required ?? [];
  const properties: Readonly<Record<string, Hints>> = params.properties;
  const shown = Object.entries(properties).filter(
    ([name, { examples }]) => required.includes(name) || examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, hints]) => [name, exampleValue(name, hints)]));
}

/** Keywords of a schema that suggest a value. */
interface Hints {
  readonly examples?: unknown;
  readonly enum?: unknown;
}

function exampleValue(name: string, { examples, enum: values }: Hints): unknown {
  const suggestions = [examples, values].find(Array.isArray) ?? [];
  return suggestions[0] ?? `<${name}>`;
}

function exampleOf(action: DescribedAction): JsonSchema {
  return {
    summary: action.title.ko,
    value: { provider: action.provider, action: action.id, params: exampleParams(action) },
  };
}
