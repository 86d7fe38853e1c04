import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The shell comes first: without windows of its own, it does the same with a quarter less work. */
const PLACES = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * A Chromium of this machine. Where there is none, root on Debian installs one. Null otherwise, except in CI, where
 * the browser's part must not be left out.
 */
export function findChromium(): string | null {
  const found = installed() ?? installOnDebian();
  if (found === null && process.env.CI) throw new Error('CI needs a Chromium; set CHROMIUM_PATH');
  if (found === null) {
    console.warn('No Chromium found: the tests of the console in a browser are skipped.');
  }
  return found;
}

function installed(): string | null {
  return PLACES.find((path) => path !== '' && existsSync(path)) ?? null;
}

function installOnDebian(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null;
  const options = {
    stdio: 'ignore' as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  console.warn('No Chromium found: apt-get installs chromium-headless-shell.');
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    const packages = ['chromium-headless-shell', 'fonts-noto-cjk'];
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options);
  } catch {
    return null;
  }
  return installed();
}
