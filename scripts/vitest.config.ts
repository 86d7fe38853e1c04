import { project } from './vitest-project.ts';

export default project('house', { include: ['*.test.ts'] });
