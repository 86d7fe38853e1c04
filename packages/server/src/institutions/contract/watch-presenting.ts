/** Reports while a credential is on its way to an institution; several may be at once. */
export function watchPresenting() {
  let presented = 0;
  let isUnannounced = false;
  return {
    /** Asked once for each request: whether it carries a credential, and whether nothing announced that. */
    ofRequest() {
      const unannounced = isUnannounced;
      isUnannounced = false;
      return { carries: presented > 0 || unannounced, unannounced };
    },
    unannounced() {
      isUnannounced = true;
    },
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
