/** Puts the example of the connector guide beside the build: `connector create` copies it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const template = join(root, 'dist', 'template');
rmSync(template, { recursive: true, force: true });
cpSync(join(root, '..', '..', 'examples', 'own-institution'), template, { recursive: true });
