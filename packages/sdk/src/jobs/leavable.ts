/**
 * A generator whose code is loaded for its first value, and that can be left while its reader waits for the next one. By
 * the language's rules `return` waits for that value, which may take hours here; `make` gets a signal at which to end
 * instead.
 */
export function leavable<T>(
  make: (left: AbortSignal) => Promise<AsyncGenerator<T, void, void>>,
): AsyncGenerator<T, void, void> {
  const left = new AbortController();
  const generator = read();
  const end = generator.return.bind(generator);
  generator.return = (value) => {
    left.abort();
    return end(value);
  };
  return generator;

  async function* read(): AsyncGenerator<T, void, void> {
    const made = await make(left.signal);
    if (!left.signal.aborted) yield* made;
  }
}
