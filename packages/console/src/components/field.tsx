import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { FieldErrors } from './field-errors.ts';

/*
 * A field without a handler is the person's: `value` and `checked` are what it starts with. Given as such to Preact,
 * they would be put back whenever the form renders, as it does while it is sent and where it is refused.
 */

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
  readonly step?: number | 'any';
  readonly onInput?: (value: string) => void;
}

export function TextField(props: TextProps) {
  const { label, hint, wide = false, type, value, onInput, ...input } = props;
  const id = useId();
  const notes = useNotes(id, input.name, hint);
  // The types of preact know each kind of input apart from the others.
  const kind = { type } as { type: 'text' };
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        {...kind}
        spellcheck={false}
        {...notes.attributes}
        {...input}
        {...(onInput
          ? { value, onInput: (event) => onInput(event.currentTarget.value) }
          : { defaultValue: value })}
      />
      {notes.shown}
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

export function TextArea({ label, hint, wide = true, value, ...area }: AreaProps) {
  const id = useId();
  const notes = useNotes(id, area.name, hint);
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <textarea id={id} spellcheck={false} {...notes.attributes} {...area} defaultValue={value} />
      {notes.shown}
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
  const notes = useNotes(id, name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        // Without a handler, the options alone say where it starts.
        value={onChange ? value : undefined}
        {...notes.attributes}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([each, text]) => (
          // Known to the browser, not to the types of preact: it tells later what a person chose.
          <option key={each} value={each} {...{ defaultSelected: each === value }}>
            {text}
          </option>
        ))}
      </select>
      {notes.shown}
    </p>
  );
}

interface CheckProps extends FieldProps {
  readonly name?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly onChange?: (checked: boolean) => void;
}

export function CheckField(props: CheckProps) {
  const { label, hint, checked, onChange, wide: _wide, ...input } = props;
  const id = useId();
  const notes = useNotes(id, input.name, hint, useContext(GroupError));
  return (
    <p class="check">
      <input
        id={id}
        type="checkbox"
        {...notes.attributes}
        {...input}
        {...(onChange
          ? { checked, onChange: (event) => onChange(event.currentTarget.checked) }
          : { defaultChecked: checked })}
      />
      <label for={id}>{label}</label>
      {notes.shown}
    </p>
  );
}

interface GroupProps {
  readonly legend: string;
  /** Of choices that share one. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** The element that says of a whole group what is wrong with it. */
const GroupError = createContext<string | undefined>(undefined);

export function FieldGroup({ legend, name, children }: GroupProps) {
  const id = useId();
  const wrong = useContext(FieldErrors).get(name ?? '');
  return (
    <fieldset class="group wide">
      <legend>{legend}</legend>
      <GroupError.Provider value={name === undefined ? undefined : `${id}-wrong`}>
        {children}
      </GroupError.Provider>
      {wrong === undefined ? null : <Wrong id={`${id}-wrong`} text={wrong} />}
    </fieldset>
  );
}

/** What is said of a field: a hint, and what the service refused. */
function useNotes(id: string, name = '', hint?: string, groupError?: string) {
  const wrong = useContext(FieldErrors).get(name);
  const own = wrong === undefined || groupError !== undefined ? undefined : wrong;
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(wrong === undefined ? [] : [groupError ?? `${id}-wrong`]),
  ];
  return {
    attributes: {
      'aria-invalid': wrong === undefined ? undefined : ('true' as const),
      'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    },
    shown: (
      <>
        {hint === undefined ? null : (
          <small id={`${id}-hint`} class="hint">
            {hint}
          </small>
        )}
        {own === undefined ? null : <Wrong id={`${id}-wrong`} text={own} />}
      </>
    ),
  };
}

function Wrong({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <small id={id} class="wrong">
      {text}
    </small>
  );
}
