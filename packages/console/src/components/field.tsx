import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly wide?: boolean;
}

interface TextProps extends FieldProps {
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'number';
  readonly value?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly pattern?: string;
  readonly onInput?: (value: string) => void;
}

export function TextField({ label, hint, wide = false, type, onInput, ...input }: TextProps) {
  const id = useId();
  // The types of preact know each kind of input apart from the others.
  const kind = { type } as { type: 'text' };
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        {...kind}
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...input}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
      <Hint id={id} text={hint} />
    </p>
  );
}

interface AreaProps extends FieldProps {
  readonly name: string;
  readonly value?: string;
  readonly rows?: number;
  readonly required?: boolean;
  readonly maxLength?: number;
}

export function TextArea({ label, hint, wide = true, ...area }: AreaProps) {
  const id = useId();
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...area}
      />
      <Hint id={id} text={hint} />
    </p>
  );
}

interface SelectProps extends FieldProps {
  readonly name?: string;
  readonly value?: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange?: (value: string) => void;
}

export function SelectField({ label, hint, name, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
      <Hint id={id} text={hint} />
    </p>
  );
}

interface CheckProps extends FieldProps {
  readonly name?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onChange?: (checked: boolean) => void;
}

export function CheckField({ label, hint, onChange, wide: _wide, ...input }: CheckProps) {
  const id = useId();
  return (
    <p class="check">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...input}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <Hint id={id} text={hint} />
    </p>
  );
}

interface GroupProps {
  readonly legend: string;
  readonly children: ComponentChildren;
}

export function FieldGroup({ legend, children }: GroupProps) {
  return (
    <fieldset class="group wide">
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

function Hint({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return text === undefined ? null : (
    <small id={`${id}-hint`} class="hint">
      {text}
    </small>
  );
}
