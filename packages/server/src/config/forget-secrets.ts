import { VARIABLES } from '@changgu/contract';

/**
 * Removes secrets from the environment once they are read, because connector modules and child processes
 * can read `process.env`.
 */
export function forgetSecrets(env: Record<string, string | undefined>): void {
  for (const variable of Object.values(VARIABLES)) {
    if ('secret' in variable) delete env[variable.name];
  }
}
