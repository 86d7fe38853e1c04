// Runs a command with the pinned Node and pnpm, and with the packages of the lockfile, fetching first what is missing.
// Needs only Node 20 and npm; works with stdin closed. Usage: node scripts/toolchain.mjs <command> [args…]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '24.21.0';
const OLDEST_NODE = [24, 11];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const windows = process.platform === 'win32';

function willDo(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

// The platform package carries the binary itself and needs no install script, unlike the package `node`.
const nodePackage = `node-${windows ? 'win' : process.platform}-${process.arch}@${NODE}`;
const wanted = [manifest.packageManager, ...(willDo(process.versions.node) ? [] : [nodePackage])];
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
        (wanted.includes(nodePackage)
          ? `npm does not have Node for every platform, macOS among them. Install Node ${OLDEST_NODE.join('.')} or newer yourself, then run the command again.`
          : 'Check the connection to the registry, then run the command again.'),
    );
  }
  probe(staging);
  try {
    renameSync(staging, home);
  } catch {
    // Another run was faster.
    rmSync(staging, { recursive: true, force: true });
  }
}

/** npm leaves a platform's package out in silence where there is none, as on macOS. */
function probe(staging) {
  const bins = join(staging, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bins}${delimiter}${process.env.PATH ?? ''}` };
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], { env, shell: windows });
  const found = String(stdout).trim();
  if (willDo(found)) return;
  rmSync(staging, { recursive: true, force: true });
  fail(`Node ${OLDEST_NODE.join('.')} or newer is needed; found ${found}.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) fail('Usage: node scripts/toolchain.mjs <command> [args…]');
if (!existsSync(join(bin, windows ? 'pnpm.cmd' : 'pnpm'))) install();

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const lockfile = join(root, 'pnpm-lock.yaml');
if (command !== 'pnpm' && !installed()) {
  run('pnpm', ['install', '--frozen-lockfile', '--silent'], { cwd: root, stdio: ['ignore', 2, 2] });
}

const child = spawn(command, args, { stdio: 'inherit', env, shell: windows });
child.once('error', (error) => fail(`Cannot run ${command}: ${error.message}`));
child.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// A terminal's Ctrl-C reaches the command by itself; a second one would end it at once.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));

// A shell between npm and this process ends at a signal without passing it on.
const parent = process.ppid;
const orphaned = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(orphaned);
  child.kill('SIGTERM');
}, 250);
orphaned.unref();

/** pnpm keeps the lockfile that it last installed from. */
function installed() {
  const current = join(root, 'node_modules', '.pnpm', 'lock.yaml');
  return existsSync(current) && readFileSync(current).equals(readFileSync(lockfile));
}

function run(program, programArgs, options) {
  const { status, error } = spawnSync(program, programArgs, { env, shell: windows, ...options });
  if (status !== 0)
    fail(`${program} ${programArgs.join(' ')} failed${error ? `: ${error.message}` : '.'}`);
}
