/** Reports while a credential is on its way to an institution; several may be at once. */
export function watchPresenting() {
  let presented = 0;
  return {
    isPresented: () => presented > 0,
    async presenting<Result>(send: () => Promise<Result>): Promise<Result> {
      presented += 1;
      try {
        return await send();
      } finally {
        presented -= 1;
      }
    },
  };
}
