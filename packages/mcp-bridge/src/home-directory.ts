import os from 'node:os';
import { isAbsolute } from 'node:path';

interface System {
  homedir(): string;
  userInfo(): { readonly homedir: string };
}

/**
 * Of the user of this process. A path in which no file can be made, for one of whom the system knows nothing, as some
 * containers have: their settings come from the environment, and only a file to save needs a home.
 */
export function homeDirectory(system: System = os): string {
  try {
    const home = system.homedir();
    // With an empty HOME it is empty, and files would go where the host started this process.
    return isAbsolute(home) ? home : system.userInfo().homedir;
  } catch {
    return os.devNull;
  }
}
