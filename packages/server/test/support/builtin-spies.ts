import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Spies on functions of Node's own modules in every test of the file, seen by named imports too. Unlike `vi.mock`
 * it needs no fresh copy of the modules that import them, so the file can share its process with others.
 */
export function useBuiltinSpies(spy: () => void): void {
  beforeEach(() => {
    spy();
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}
