import type { CamelName } from '@changgu/sdk';
import type { Language } from '../language.ts';

/** How things of one kind are shown, with the API's field names. */
export interface Shape {
  /** All fields that can be requested. Null: an institution's data, known only with the answer. */
  readonly fields: readonly string[] | null;
  /** The columns of a list. Scripts count them, so new ones are added at the end. */
  readonly columns: readonly string[];
  /** The order in which a narrow terminal drops columns; then the last ones. */
  readonly expendable?: readonly string[];
  /** The field that `-o id` prints. */
  readonly id: string;
  /** The fields of a single thing; default: all. */
  readonly details?: readonly string[];
  /** Columns that are never truncated, however narrow the terminal. */
  readonly whole?: readonly string[];
  /** Ids that a narrow terminal truncates like texts, because people read the other columns. */
  readonly elastic?: readonly string[];
  /** What people read for the names in a column; programs get the names. */
  readonly texts?: Readonly<Record<string, (name: string, language: Language) => string>>;
  /** Fields that would be lost forever if the output omitted them. */
  readonly keep?: readonly string[];
  /** Times stay as they are: of steps, one wants to see how far apart they were. */
  readonly exactTimes?: true;
  /** Names that belong to an institution and stay unchanged. */
  readonly asIs?: true;
}

/** What a command writes to stdout: things of a shape, any JSON, a file's bytes, or nothing. */
export type Prints = Shape | 'document' | 'bytes' | 'nothing';

/** A row's field names. The compiler refuses a list that misses one. */
export function fieldsOf<Row>() {
  return <const Name extends string>(
    names: readonly Name[],
    ..._missing: [Exclude<keyof Row & string, Name | CamelName<Name>>] extends [never]
      ? []
      : [missing: Exclude<keyof Row & string, Name | CamelName<Name>>]
  ): readonly string[] => names;
}
