import { project } from '../../scripts/vitest-project.ts';

export default project('server', {
  globalSetup: ['./src/store/testing/postgres-server.ts', './src/store/testing/thread-bundle.ts'],
  setupFiles: [
    './src/store/testing/use-lasting-threads.ts',
    './src/crypto/testing/use-cheap-passwords.ts',
  ],
});
