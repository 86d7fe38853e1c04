/** An object or list of a parsed body. Its location is only computed for violations. */
export interface JsonPlace {
  readonly value: object;
  /** 1 for the root. */
  readonly depth: number;
  readonly key: string | number;
  readonly within: JsonPlace | null;
}

/**
 * Calls `visit` for everything inside `root`, without recursion, because a body may be a million levels deep or
 * contain half a million lists.
 */
export function walkJson(
  root: unknown,
  visit: (value: unknown, key: string | number, within: JsonPlace) => void,
): void {
  const open: JsonPlace[] = [];

  function enter(value: unknown, key: string | number, within: JsonPlace | null): void {
    if (typeof value !== 'object' || value === null) return;
    open.push({ value, depth: (within?.depth ?? 0) + 1, key, within });
  }

  function step(value: unknown, key: string | number, within: JsonPlace): void {
    visit(value, key, within);
    enter(value, key, within);
  }

  enter(root, '', null);
  for (let place = open.pop(); place; place = open.pop()) {
    const { value } = place;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) step(value[index], index, place);
    } else {
      for (const key of Object.keys(value)) step(Reflect.get(value, key), key, place);
    }
  }
}

/** The path from the root to the value under `key`; the root itself has no name. */
export function pathTo(key: string | number, within: JsonPlace): (string | number)[] {
  const path = [key];
  for (let place = within; place.within; place = place.within) path.push(place.key);
  return path.reverse();
}
