/**
 * A generator that can be left while its reader waits for the next value. By the language's rules `return` waits for
 * that value, which may take hours here; `make` gets a signal at which to end instead.
 */
export function leavable<T>(
  make: (left: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const left = new AbortController();
  const generator = make(left.signal);
  const end = generator.return.bind(generator);
  generator.return = (value) => {
    left.abort();
    return end(value);
  };
  return generator;
}
