import { expect, it } from 'vitest';
import { runKeyCommand } from './master-key-command.ts';
import { openMasterKeySource } from './master-key-source.ts';

const text = Buffer.alloc(32, 5).toString('base64');
const messageOf = (failure: unknown) => (failure instanceof Error ? failure.message : '');

it('takes the key that a command prints (D64)', async () => {
  const [given, printed] = await Promise.all([
    openMasterKeySource({ masterKey: text }),
    openMasterKeySource({ masterKeyCommand: `echo ${text}` }),
  ]);
  expect(printed.keys()[0].id).toBe(given.keys()[0].id);
});

it.each([
  ['fails', 'echo hunter2; echo hunter2 >&2; exit 3', /failed with 3/],
  ['prints no key', 'echo hunter2', /32 bytes/],
  ['prints without end', 'yes hunter2', /failed with ERR_CHILD_PROCESS_STDIO_MAXBUFFER/],
])(
  'refuses a command that %s, and repeats nothing of it (D64)',
  async (_, masterKeyCommand, why) => {
    const message = messageOf(
      await openMasterKeySource({ masterKeyCommand }).catch((error) => error),
    );
    expect(message).toMatch(why);
    expect(message).not.toContain('hunter2');
  },
);

it('waits for no command for ever (D64)', async () => {
  await expect(runKeyCommand('exec sleep 60', 50)).rejects.toThrow('did not end within 0.05 s');
});
