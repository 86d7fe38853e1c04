import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const SECRET = 'hunter2-of-the-bank';

/** A process that is supervised like a server, and what it leaves behind. */
async function supervised(ending: string, close = 'throw failure();') {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('../logging/logger.ts', import.meta.url).href)};
    import { supervise } from ${JSON.stringify(new URL('./supervise.ts', import.meta.url).href)};
    class PortalError extends Error {}
    const failure = () => Object.assign(
      new PortalError('login with ${SECRET} failed', { cause: new Error('${SECRET}') }),
      { code: 'EPORTAL', password: '${SECRET}' },
    );
    let lost = () => {};
    supervise({
      close: async () => { ${close} },
      core: { store: { onFatal: (listener) => { lost = listener; } } },
      logger: createLogger('info'),
    });
    setInterval(() => {}, 1000);
    ${ending}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

it.each([
  ['a rejection that is not awaited', 'Promise.reject(failure());', 'an unexpected error'],
  ['an exception in a timer', 'setTimeout(() => { throw failure(); });', 'an unexpected error'],
  ['a lost database', 'lost(failure());', 'the database was lost'],
  ['a close that fails', "process.kill(process.pid, 'SIGTERM');", 'before everything was closed'],
])('%s ends the process with one line that holds no secret', async (_name, ending, said) => {
  const { stdout, stderr, code } = await supervised(ending);
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'fatal',
    msg: expect.stringContaining(said),
    fault: {
      type: 'PortalError',
      code: 'EPORTAL',
      frames: expect.arrayContaining([expect.stringMatching(/^at failure /)]),
      cause: { type: 'Error' },
    },
  });
});

describe('a rejection that a connector of your own did not await', () => {
  const connector = (passesPoint: boolean) => `
    const { withStraysCaught } = await import(${JSON.stringify(
      new URL('../engine/stray-rejections.ts', import.meta.url).href,
    )});
    const run = withStraysCaught(async (call) => {
      ${passesPoint ? 'await call.pointOfNoReturn();' : ''}
      const send = async () => { await new Promise(setImmediate); throw failure(); };
      void Promise.all([send()]);
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      return {};
    });
    const call = { action: { id: 'bank_x.read' }, pointOfNoReturn: async () => {} };
    const ending = await run(call).then(() => 'done', ({ code }) => code);
    console.log(JSON.stringify({ ending }));
    process.kill(process.pid, 'SIGTERM');
  `;

  it.each([
    ['fails its run, and not the server', false, 'EPORTAL'],
    ['changes nothing that may have taken effect', true, 'done'],
  ])('%s', async (_name, passesPoint, ending) => {
    const { stdout, stderr, code } = await supervised(connector(passesPoint), '');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain(SECRET);
    const lines: object[] = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    // The log is written in the background, so it may come last.
    expect(lines).toContainEqual({ ending });
    expect(lines.find((line) => 'action' in line)).toMatchObject({
      level: 'error',
      action: 'bank_x.read',
      msg: expect.stringContaining('did not await'),
      fault: { type: 'PortalError', code: 'EPORTAL' },
    });
  });
});

it('names only the type of a thrown text', async () => {
  const { stdout, stderr } = await supervised(`setTimeout(() => { throw '${SECRET}'; });`);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(JSON.parse(stdout)).toMatchObject({ fault: { type: 'string', frames: [] } });
});

it('says in its last line that it stopped', async () => {
  const { stdout, code } = await supervised("process.kill(process.pid, 'SIGTERM');", '');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ level: 'info', signal: 'SIGTERM', msg: 'stopped' });
});
