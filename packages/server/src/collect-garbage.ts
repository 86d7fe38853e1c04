import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what this thread no longer uses and returns its memory to the system. Left alone, V8 keeps the room that a
 * start needed for young objects until a full collection, which a server at rest never comes to.
 */
export function collectGarbage(): void {
  // The function that Node documents for --expose-gc. The flag is of the whole process and stays, because another
  // thread may be asking at this moment; only contexts made from now on have the function.
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  // One tick waits meanwhile: if there were none, V8 would forget what ticks look like, and compile the code that makes
  // them, several for each request, for any object and for ever.
  process.nextTick(() => {});
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
