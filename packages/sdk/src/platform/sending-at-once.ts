/** For builds of one file: a dynamic import would keep bundlers from leaving out what is not used. */
import { SharedParts } from '../shared-parts.ts';

export async function loadSending(): Promise<{ readonly SharedParts: typeof SharedParts }> {
  return { SharedParts };
}
