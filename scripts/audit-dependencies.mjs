/**
 * Fails when a dependency has a known hole of high severity or worse. Development dependencies count:
 * some of them are bundled into what is published. A registry that keeps no list of holes, or cannot be
 * reached, is not a failure, but it is reported.
 *
 *   node scripts/audit-dependencies.mjs
 */
import { spawnSync } from 'node:child_process';

const UNANSWERED =
  /ERR_PNPM_AUDIT_BAD_RESPONSE|ERR_PNPM_AUDIT_ENDPOINT|ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|fetch failed/;

const { status, stdout, stderr, error } = spawnSync('pnpm', ['audit', '--audit-level=high'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  timeout: 30_000,
});
const output = `${stdout ?? ''}${stderr ?? ''}`;
if (status === 0) {
  process.stdout.write('no dependency has a known hole of high severity\n');
} else if (error !== undefined || UNANSWERED.test(output)) {
  process.stdout.write(
    'NOT CHECKED: the registry did not say which dependencies have known holes\n',
  );
} else {
  process.stderr.write(output);
  process.exitCode = 1;
}
