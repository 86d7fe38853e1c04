import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBeside } from '../support/run-command.ts';
import { startTestServer } from '../support/start-server.ts';

it('audit verify --heads compares with what was printed, and with nothing else', {
  timeout: 60_000,
}, async () => {
  await using server = await startTestServer();
  const file = join(server.dataDir, 'heads.json');
  const verify = () => runBeside(server, 'audit', 'verify', '--heads', file);
  let printed: string;
  // The acts of the start are sealed about a second after them.
  do printed = `${await runBeside(server, 'audit', 'verify')}\n`;
  while (JSON.parse(printed).heads.length === 0);

  await writeFile(file, printed);
  expect(JSON.parse(await verify())).toMatchObject({ broken: null });

  const [head] = JSON.parse(printed).heads;
  const longer = { broken: null, heads: [{ ...head, number: head.number + 1_000 }] };
  await writeFile(file, JSON.stringify(longer));
  await expect(verify()).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the end of the chain was cut off'),
  });

  const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^error: .*--heads.*\n$/) };
  await writeFile(file, '{}');
  await expect(verify()).rejects.toMatchObject(refused);
  await writeFile(file, printed);
  await appendFile(file, printed);
  await expect(verify()).rejects.toMatchObject(refused);
  await expect(
    runBeside(server, 'audit', 'verify', '--heads', join(server.dataDir, 'none.json')),
  ).rejects.toMatchObject(refused);
});
