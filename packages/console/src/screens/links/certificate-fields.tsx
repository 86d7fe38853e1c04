import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { TextField } from '../../components/field.tsx';
import { registerTexts } from './register-texts.ts';

/** Certificate and key, dropped or chosen as two files or one combined file, and their password. */
export function CertificateFields() {
  const words = registerTexts();
  const isOver = useSignal(false);
  const isWhole = useSignal(false);
  const certificate = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  return (
    <>
      <fieldset
        class={isOver.value ? 'drop wide over' : 'drop wide'}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          for (const file of event.dataTransfer?.files ?? []) {
            put(file, /\.key$/i.test(file.name) ? key.current : certificate.current);
          }
        }}
      >
        <legend>{words.files}</legend>
        <p class="hint">{words.filesHint}</p>
        <FileField
          label={words.certificate}
          name="certificate"
          accept=".der,.cer,.crt,.p12,.pfx"
          input={certificate}
          onChosen={(file) => (isWhole.value = holdsKey(file))}
        />
        {isWhole.value ? null : (
          <FileField label={words.key} name="key" accept=".key" input={key} />
        )}
      </fieldset>
      <TextField
        label={words.keyPassword}
        hint={words.encrypted}
        name="key_password"
        type="password"
        required
        autocomplete="off"
        wide
      />
    </>
  );
}

export type ChosenFiles =
  | { readonly pkcs12: File }
  | { readonly certificate: File; readonly key: File };

/** @throws Error with a message for the person when one is missing */
export function filesOf(values: FormData): ChosenFiles {
  const [certificate, key] = [values.get('certificate'), values.get('key')];
  if (isChosen(certificate) && holdsKey(certificate)) return { pkcs12: certificate };
  if (isChosen(certificate) && isChosen(key)) return { certificate, key };
  throw new Error(registerTexts().missingFiles);
}

function holdsKey({ name }: File): boolean {
  return /\.(p12|pfx)$/i.test(name);
}

function isChosen(value: FormDataEntryValue | null): value is File {
  return value instanceof File && value.size > 0;
}

function put(file: File, input: HTMLInputElement | null): void {
  if (input === null) return;
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  // Setting files fires no event.
  input.dispatchEvent(new Event('change'));
}

interface FileFieldProps {
  readonly label: string;
  readonly name: string;
  readonly accept: string;
  readonly input: { current: HTMLInputElement | null };
  readonly onChosen?: (file: File) => void;
}

function FileField({ label, name, accept, input, onChosen }: FileFieldProps) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        name={name}
        type="file"
        accept={accept}
        required
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onChosen?.(file);
        }}
      />
    </p>
  );
}
