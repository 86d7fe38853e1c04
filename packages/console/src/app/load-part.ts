/** A part of the console did not arrive: the network failed, or the server runs a later version with other files. */
export class PartNotLoadedError extends Error {
  override readonly name = 'PartNotLoadedError';
}

/** @throws PartNotLoadedError */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new PartNotLoadedError('', { cause });
  }
}
