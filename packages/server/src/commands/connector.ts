import { terminalLanguage } from '@changgu/contract/language';
import { Command } from 'commander';
import { print } from './with-core.ts';

interface ModuleFile {
  readonly module: string;
}

/** Commands for connector authors: docs/writing-a-connector.md. */
export function connectorCommand(): Command {
  const connector = new Command('connector').description(
    'Create, check, record and replay connectors',
  );
  connector
    .command('create')
    .argument('<folder>', 'a new folder')
    .description('Create a project with a connector, a portal to try it on and its contract test')
    .action(create);
  connector
    .command('check')
    .description('Check at a test portal that an action keeps the contract of connectors')
    .requiredOption(
      '--case <file>',
      'JSON: module, action, baseUrl, link, account, params, secrets',
    )
    .action(async ({ case: file }: { case: string }) => {
      const [{ readCase }, { checkConnector }, { keepsContract }] = await Promise.all([
        import('../institutions/contract/case-file.ts'),
        import('../institutions/contract/check-connector.ts'),
        import('../institutions/contract/finding.ts'),
      ]);
      const findings = await checkConnector(await readCase(file));
      for (const each of findings) print(each);
      if (!keepsContract(findings)) process.exitCode = 1;
    });
  connector
    .command('record')
    .description('Run an action at its portal and write a trace of the pages, without secrets')
    .requiredOption('--case <file>', 'as for check')
    .requiredOption('--out <file>', 'file to write the trace to')
    .option('--hide <text...>', 'more texts to replace, such as names and addresses')
    .option('--allow-effects', 'let an irreversible action take effect')
    .action(record);
  connector
    .command('replay')
    .argument('<trace>', 'file that record has written')
    .requiredOption('--module <file>', 'the module with the connector')
    .description('Run a connector against a trace, without portal and credentials')
    .action(replay);
  return connector;
}

async function create(folder: string) {
  const [{ createConnectorProject }, { createdProject }] = await Promise.all([
    import('./create-project.ts'),
    import('./created-project.ts'),
  ]);
  const created = await createConnectorProject(folder);
  if (!process.stdout.isTTY) return print({ created });
  process.stdout.write(createdProject(folder, terminalLanguage(process.env)));
}

interface RecordFlags {
  readonly case: string;
  readonly out: string;
  readonly hide?: string[];
  readonly allowEffects?: boolean;
}

async function record({ case: file, out, hide = [], allowEffects = false }: RecordFlags) {
  const [{ readCase, writePrivate }, { recordConnector }] = await Promise.all([
    import('../institutions/contract/case-file.ts'),
    import('../institutions/contract/record-connector.ts'),
  ]);
  const trace = await recordConnector(await readCase(file), { hide, allowEffects });
  await writePrivate(out, trace);
  print({ trace: out, exchanges: trace.exchanges.length, end: trace.end.kind });
}

async function replay(file: string, { module }: ModuleFile) {
  const [{ readTrace }, { replayConnector }] = await Promise.all([
    import('../institutions/contract/case-file.ts'),
    import('../institutions/contract/replay-connector.ts'),
  ]);
  const result = await replayConnector(module, await readTrace(file));
  print(result);
  if (!result.asRecorded) process.exitCode = 1;
}
