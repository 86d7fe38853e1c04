/**
 * Starts something beside what is open, which is closed when that fails: it would keep the process alive, neither
 * ready nor ended.
 */
export async function closeOnFailure<T>(
  close: () => Promise<unknown>,
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (failure) {
    // The first failure is the one to report.
    await close().catch(() => {});
    throw failure;
  }
}
