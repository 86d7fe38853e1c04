import { project } from '../../scripts/vitest-project.ts';

export default project('cli', {
  globalSetup: ['../server/src/store/testing/thread-bundle.ts'],
  setupFiles: [
    '../server/src/store/testing/use-lasting-threads.ts',
    '../server/src/crypto/testing/use-cheap-passwords.ts',
  ],
});
