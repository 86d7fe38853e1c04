import { project } from '../../scripts/vitest-project.ts';

export default project('server', { globalSetup: ['./src/store/testing/postgres-server.ts'] });
