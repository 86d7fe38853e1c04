import type { Compilable, CompiledQuery } from 'kysely';
import type { Transaction } from './script.ts';

/** The place of a value in a statement that is built before its values are known. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `slot('name')` stands for the value of that name while a statement is built. */
export type SlotOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/**
 * A hot statement: Kysely builds, types and compiles it on first use; later uses fill in values and pass
 * the text to the driver, because Kysely's own execution costs more than most of these statements.
 * Anything but a value (another join, another condition) is a variant, built separately.
 * Like `run`, it answers without a promise where the database does.
 */
export function compiled<Values extends object, Row, Variant extends string = ''>(
  build: (tx: Transaction, slot: SlotOf<Values>, variant: Variant) => Compilable<Row>,
): (
  tx: Transaction,
  values: Values,
  ...variant: Variant extends '' ? [] : [Variant]
) => Row[] | Promise<Row[]> {
  // By the expression of business time, which is part of the text: each dialect has its own, and a dialect may have two.
  const statements = new WeakMap<Transaction['clock'], Map<string, CompiledQuery<Row>>>();
  // The statement's types promise a value where a slot stands; it is replaced before the statement is sent.
  const slot = ((name: string) => new Slot(name)) as unknown as SlotOf<Values>;

  return (tx, values, ...[variant = '']) => {
    let known = statements.get(tx.clock);
    if (known === undefined) {
      known = new Map();
      statements.set(tx.clock, known);
    }
    let statement = known.get(variant);
    if (statement === undefined) {
      statement = build(tx, slot, variant as Variant).compile();
      known.set(variant, statement);
    }
    return tx.run<Row>(statement.sql, fill(statement.parameters, values));
  };
}

/** What follows from rows: at once where the database answers at once. */
export function onRows<Row, Result>(
  rows: Row[] | Promise<Row[]>,
  use: (rows: Row[]) => Result,
): Result | Promise<Result> {
  return rows instanceof Promise ? rows.then(use) : use(rows);
}

function fill(parameters: readonly unknown[], values: object): unknown[] {
  const byName = values as Readonly<Record<string, unknown>>;
  return parameters.map((parameter) =>
    parameter instanceof Slot ? byName[parameter.name] : parameter,
  );
}
