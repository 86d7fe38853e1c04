/** A semaphore with a queue. */
export interface Places {
  /** Returns how to release the place. */
  enter(): Promise<() => void>;
}

export function createPlaces(most: number): Places {
  let free = most;
  const line: (() => void)[] = [];
  function leave(): void {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next();
  }
  return {
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      return leave;
    },
  };
}
