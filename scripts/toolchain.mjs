// Runs a command with the pinned Node and pnpm, fetching them first where the host lacks them.
// Needs only Node 18 and npm; works with stdin closed. Usage: node scripts/toolchain.mjs <command> [args…]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '24.21.0';
const OLDEST_NODE = [24, 11];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const windows = process.platform === 'win32';

function hostNodeWillDo() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

// The platform package carries the binary itself and needs no install script, unlike the package `node`.
const nodePackage = `node-${windows ? 'win' : process.platform}-${process.arch}@${NODE}`;
const wanted = [manifest.packageManager, ...(hostNodeWillDo() ? [] : [nodePackage])];
const home = join(root, '.toolchain', wanted.join('+').replaceAll('@', '-'));
const bin = join(home, 'node_modules', '.bin');

function install() {
  console.error(`Fetching ${wanted.join(' and ')} (once) …`);
  const staging = `${home}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', '--prefix', staging, ...options, ...wanted], {
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    fail(
      `npm could not install ${wanted.join(' and ')}.\n` +
        `Install Node ${OLDEST_NODE.join('.')} or newer and ${manifest.packageManager} yourself, then run the command again.`,
    );
  }
  try {
    renameSync(staging, home);
  } catch {
    // Another run was faster.
    rmSync(staging, { recursive: true, force: true });
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) fail('Usage: node scripts/toolchain.mjs <command> [args…]');
if (!existsSync(join(bin, windows ? 'pnpm.cmd' : 'pnpm'))) install();

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const probe = spawnSync('node', ['-p', 'process.versions.node'], { env, shell: windows });
const [major, minor] = String(probe.stdout).trim().split('.').map(Number);
if (!(major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]))) {
  fail(`Node ${OLDEST_NODE.join('.')} or newer is needed; found ${String(probe.stdout).trim()}.`);
}

const run = spawnSync(command, args, { stdio: 'inherit', env, cwd: root, shell: windows });
if (run.error) fail(`Cannot run ${command}: ${run.error.message}`);
process.exit(run.status ?? 128 + (constants.signals[run.signal] ?? 0));
