import {
  type JsonObjectSchema,
  type JsonSchema,
  paramText,
  valueText,
} from '@changgu/contract/catalogue';
import { language } from '../../app/preferences.ts';
import { CheckField, FieldGroup, SelectField, TextField } from '../../components/field.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { inputOf, shownOf, usualOf, withoutValues } from './param-input.ts';

interface Props {
  readonly of: JsonObjectSchema;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A field for each param of an action, as its schema describes it. */
export function ParamFields({ of: { properties, required = [] }, params }: Props) {
  return Object.entries(properties).map(([name, schema]) => (
    <ParamField
      key={name}
      name={name}
      schema={schema}
      required={required.includes(name)}
      value={params[name]}
    />
  ));
}

interface FieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly value: unknown;
}

function ParamField({ name, schema, required, value }: FieldProps) {
  const words = catalogTexts();
  const input = inputOf(schema);
  const shown = shownOf(input, value ?? usualOf(schema)) ?? [];
  const named = input.kind === 'choices' ? input.named : schema;
  const label = `${labelOf(name, schema)}${required ? ` (${words.required})` : ''}`;
  const about = withoutValues(paramText(schema, language.value), named, language.value);
  const hint = about === '' ? undefined : about;
  const nameOf = (each: unknown) => [each, valueText(named, each, language.value)].join(' ').trim();
  switch (input.kind) {
    case 'choice': {
      const options = input.values.map((each) => [String(each), nameOf(each)] as const);
      const none = schema.default === undefined && !required ? [['', words.leftOut] as const] : [];
      return (
        <SelectField
          label={label}
          hint={hint}
          name={name}
          value={shown[0] ?? ''}
          options={[...none, ...options]}
        />
      );
    }
    case 'choices':
      return (
        <FieldGroup legend={hint === undefined ? label : `${label}: ${hint}`} name={name}>
          {input.values.map((each) => (
            <CheckField
              key={String(each)}
              label={nameOf(each)}
              name={name}
              value={String(each)}
              checked={shown.includes(String(each))}
            />
          ))}
        </FieldGroup>
      );
    case 'check':
      return <CheckField label={label} hint={hint} name={name} checked={shown.length > 0} />;
    default:
      return (
        <TextField
          label={label}
          hint={hint}
          name={name}
          type={input.kind === 'json' ? 'text' : input.kind}
          {...(input.kind === 'number' ? { step: input.step } : {})}
          value={value === undefined ? '' : (shown[0] ?? '')}
          placeholder={placeholderOf(schema)}
          required={required}
        />
      );
  }
}

/** Portals print their terms in Korean. */
function labelOf(name: string, { 'x-label': label }: JsonSchema): string {
  return language.value === 'ko' && typeof label === 'string' ? `${label} ${name}` : name;
}

function placeholderOf({ default: usual, examples }: JsonSchema): string {
  const [example] = [usual ?? examples ?? ''].flat();
  return typeof example === 'string' ? example : JSON.stringify(example);
}
