import { escapeControls } from '@changgu/contract/harmless-text';
import { Command, CommanderError } from 'commander';
import { ServiceError } from '../rules/service-error.ts';
import { adminCommand } from './admin.ts';
import { apiKeyCommand } from './api-key.ts';
import { auditCommand } from './audit.ts';
import { connectorCommand } from './connector.ts';
import { devCommand } from './dev.ts';
import { identityProviderCommand } from './identity-provider.ts';
import { keysCommand } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { oauthCommand } from './oauth.ts';
import { watchOutput } from './process-output.ts';
import { serveCommand } from './serve.ts';
import { version } from './version.ts';

const USAGE = 2;
const FAILED = 1;

/** The commands of changgu-server. A command's imports are loaded when it runs. */
export function createProgram(): Command {
  const program = new Command('changgu-server')
    .description('The Changgu job service')
    .version(version())
    .showHelpAfterError()
    .exitOverride();
  for (const command of [
    devCommand(),
    serveCommand(),
    migrateCommand(),
    adminCommand(),
    apiKeyCommand(),
    keysCommand(),
    auditCommand(),
    identityProviderCommand(),
    oauthCommand(),
    connectorCommand(),
  ]) {
    for (const each of withSubcommands(command)) each.exitOverride();
    program.addCommand(command);
  }
  return program;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Runs the command line; sets the exit code, and leaves a started server running. */
export async function run(argv: readonly string[]): Promise<void> {
  watchOutput();
  try {
    await createProgram().parseAsync(argv);
  } catch (failure) {
    process.exitCode = exitCodeOf(failure);
  }
}

function exitCodeOf(failure: unknown): number {
  // commander has already printed its own errors; help and version are not failures.
  if (failure instanceof CommanderError) return failure.exitCode === 0 ? 0 : USAGE;
  if (!(failure instanceof Error)) throw failure;
  const expected = [
    'ConfigError',
    'ConnectorModuleError',
    'DatabaseUnreachableError',
    'MasterKeyError',
    'MigrationError',
    'ServiceError',
  ];
  if (!expected.includes(failure.name) && !isRefusal(failure)) throw failure;
  process.stderr.write(`changgu-server: ${escapeControls(messageOf(failure))}\n`);
  return ['ConfigError', 'ConnectorModuleError'].includes(failure.name) ? USAGE : FAILED;
}

/** Errors of the system or the database: missing file, address in use, connection refused, wrong password. */
function isRefusal(failure: Error): boolean {
  return 'code' in failure && /^(E[A-Z]+|[0-9A-Z]{5})$/.test(String(failure.code));
}

function messageOf(failure: Error): string {
  const { fields = [], missing } = failure instanceof ServiceError ? failure.details : {};
  if (missing !== undefined) return `There is no ${missing}.`;
  // When several addresses refuse the connection, Node's error has an empty message.
  const message = failure.message || ('code' in failure ? String(failure.code) : failure.name);
  return [message, ...fields.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)].join(' ');
}
