import type { CamelName } from '@changgu/sdk';

/** How things of one kind are shown: their names as on the wire. */
export interface Shape {
  /** Every name that one of them has: what may be asked for. Null: an institution's data, known with the answer only. */
  readonly fields: readonly string[] | null;
  /** Shown of each in a list. Scripts count them: new ones come last. */
  readonly columns: readonly string[];
  /** What a narrow terminal leaves out first, in this order; then the last columns. */
  readonly expendable?: readonly string[];
  /** The field that `-o id` prints. */
  readonly id: string;
  /** Shown of a single thing; default: all that it has. */
  readonly details?: readonly string[];
  /** Columns that are never cut, however narrow the terminal. */
  readonly whole?: readonly string[];
  /** Names that an output without them would lose forever. */
  readonly keep?: readonly string[];
  /** Names belong to an institution and stay as they are. */
  readonly asIs?: true;
}

/** What a command writes to stdout: things of a shape, any JSON, or text that is the data itself. */
export type Prints = Shape | 'document' | 'text';

/** The names of a row as on the wire. The compiler refuses a list that misses one. */
export function fieldsOf<Row>() {
  return <const Name extends string>(
    names: readonly Name[],
    ..._missing: [Exclude<keyof Row & string, Name | CamelName<Name>>] extends [never]
      ? []
      : [missing: Exclude<keyof Row & string, Name | CamelName<Name>>]
  ): readonly string[] => names;
}
