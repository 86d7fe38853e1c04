/**
 * A generator that can be left while a caller waits for its next value. The language lets `return` wait for that
 * value, which here may be hours; `make` gets a signal at which to end instead.
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
