import { VARIABLES } from '@changgu/contract';

/**
 * Takes secrets out of the environment once they are read: connector modules and child processes see
 * what is in `process.env`.
 */
export function forgetSecrets(env: Record<string, string | undefined>): void {
  for (const variable of Object.values(VARIABLES)) {
    if ('secret' in variable) delete env[variable.name];
  }
}
