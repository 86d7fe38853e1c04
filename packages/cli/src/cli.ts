import type { Changgu, RequestOptions } from '@changgu/sdk';
import { CliError, usageError } from './cli-error.ts';
import { type ClientContext, createClient } from './client.ts';
import { type Locations, locate } from './config/locations.ts';
import { checkProfileKnown, readSettings, type Settings } from './config/settings.ts';
import { type Credentials, readCredentials } from './credentials/credentials.ts';
import { EXIT } from './exit-codes.ts';
import { commandAgain, type GlobalOptions, nextCommand } from './global-options.ts';
import { confirm } from './input/prompt.ts';
import { type Io, nowOf } from './io.ts';
import type { Language } from './language.ts';
import { formatOf, isJson } from './output/format.ts';
import type { LiveTable } from './output/live-table.ts';
import { Notes } from './output/notes.ts';
import { Output } from './output/output.ts';
import type { ProgressLine } from './output/progress-line.ts';
import { type Style, styleFor } from './output/style.ts';
import type { Reader } from './reader.ts';
import type { Texts } from './texts/ko.ts';
import { type Intent, WriteGate } from './write-gate.ts';

/** The least credentials that a command needs. */
export type Need = 'client' | 'console' | 'any';

/** One run of the program: its environment, its language, and its global options. */
export interface RunContext {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  readonly globals: GlobalOptions;
  /** The words typed after the program's name. */
  readonly words: readonly string[];
  /** Aborts when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** The context of a command that only reads. */
export class Cli {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  readonly signal: AbortSignal;
  readonly locations: Locations;
  readonly output: Output;
  readonly notes: Notes;
  readonly gate: WriteGate;
  /** Milliseconds, from --timeout. */
  readonly timeoutMs: number | undefined;
  /** Called with every answer of the service. */
  onAnswer: ClientContext['onAnswer'];
  /** Called with every attempt: whether the service answered it. */
  onContact: ClientContext['onContact'];
  protected readonly globals: GlobalOptions;
  readonly #words: readonly string[];
  /** Colors of stderr. */
  readonly styleOfNotes: Style;
  #settings: Promise<Settings> | undefined;
  #client: Changgu | undefined;

  constructor(context: RunContext, gate: WriteGate = new WriteGate('closed')) {
    const { io, language, texts, globals, words, signal } = context;
    this.io = io;
    this.language = language;
    this.texts = texts;
    this.globals = globals;
    this.#words = words;
    this.signal = signal;
    this.gate = gate;
    this.timeoutMs = globals.timeout;
    this.locations = locate(io, globals.config);
    const format = formatOf(globals, io.stdout.isTTY === true);
    this.styleOfNotes = styleFor(io.stderr, io.env, globals.color);
    const style = styleFor(io.stdout, io.env, globals.color);
    this.output = new Output({
      stdout: io.stdout,
      format,
      globals,
      texts,
      language,
      style,
      now: () => this.now(),
      onHidden: (columns) => this.notes.info(texts.output.hidden(columns.join(', '))),
    });
    this.notes = new Notes({
      io,
      texts,
      style: this.styleOfNotes,
      silent: isJson(format),
      quiet: globals.quiet === true,
      nextCommand: (command) => nextCommand(command, globals),
    });
  }

  /** Whether a question can be asked: both ends must be a terminal. */
  get interactive(): boolean {
    const { io, globals } = this;
    const people = io.stdin.isTTY === true && io.stderr.isTTY === true;
    return people && globals.input && !io.env.CI && io.env.TERM !== 'dumb';
  }

  get debug(): boolean {
    return this.globals.debug === true;
  }

  /** Options of one call: it ends when the user asks to stop, or after --timeout. */
  get call(): RequestOptions {
    const { signal, timeoutMs } = this;
    return { signal, ...(timeoutMs === undefined ? {} : { totalTimeoutMs: timeoutMs }) };
  }

  /** The settings of this run. @throws usage error, also for an unknown profile */
  async settings(): Promise<Settings> {
    const settings = await this.settingsOfAnyProfile();
    checkProfileKnown(settings, this.texts);
    return settings;
  }

  /** The same, where the profile may be about to be created. */
  settingsOfAnyProfile(): Promise<Settings> {
    this.#settings ??= this.#readSettings();
    return this.#settings;
  }

  async credentials(): Promise<Credentials> {
    return readCredentials(this.io, await this.settings(), this.locations, this.texts);
  }

  /** The client of this run. @throws CliError NOT_LOGGED_IN without the required credentials */
  async client(need: Need = 'client'): Promise<Reader> {
    return this.wholeClient(need);
  }

  /** A command to type next, with the options that select the service. */
  next(command: string): string {
    return nextCommand(command, this.globals);
  }

  /** The typed command with other options in the place of some. */
  again(options: readonly string[], replaced: readonly string[]): string {
    return commandAgain(this.#words, options, replaced);
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return nowOf(this.io);
  }

  async progress(): Promise<ProgressLine> {
    const { ProgressLine } = await import('./output/progress-line.ts');
    const { io, globals, output } = this;
    const silent = isJson(output.format) || globals.quiet === true;
    const drawn = io.stderr.isTTY === true && io.env.TERM !== 'dumb' && !io.env.CI;
    return new ProgressLine({
      io,
      style: this.styleOfNotes,
      mode: silent ? 'silent' : drawn ? 'animated' : 'milestones',
    });
  }

  /** A table that changes in place; null where the output is not watched: in a pipe, for programs, on a terminal without a cursor. */
  async liveTable(): Promise<LiveTable | null> {
    const { stdout, env } = this.io;
    const watched = stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI;
    if (!watched || this.output.format !== 'table') return null;
    const { LiveTable } = await import('./output/live-table.ts');
    return new LiveTable(stdout);
  }

  /** Ends idle connections, so that the process can end. */
  async close(): Promise<void> {
    await this.#client?.close();
  }

  protected async wholeClient(need: Need): Promise<Changgu> {
    if (this.#client) return this.#client;
    const { baseUrl, envScope } = await this.settings();
    if (!baseUrl) {
      throw usageError(this.texts.config.noBaseUrl, 'changgu login', 'CHANGGU_BASE_URL=…');
    }
    const credentials = await this.credentials();
    this.#check(credentials, need);
    this.#client = createClient(this, baseUrl.value, envScope.value, credentials);
    return this.#client;
  }

  async #readSettings(): Promise<Settings> {
    const settings = await readSettings(this.io, this.locations, this.globals, this.texts);
    for (const { flag, variable } of settings.conflicts) {
      await this.notes.warn(this.texts.config.flagBeatsEnv(flag, variable));
    }
    return settings;
  }

  #check(credentials: Credentials, need: Need): void {
    const { clientId, token, tokenError, tokenIsClient, tokenExpiredAt } = credentials;
    const { login } = this.texts;
    // With the key, the person's command would be made as someone else.
    if (need === 'console' && tokenError !== undefined) throw tokenError;
    const wantsConsole =
      need === 'console' || (clientId === undefined && tokenExpiredAt !== undefined);
    if (token !== undefined && (tokenIsClient || need !== 'client')) return;
    if (clientId !== undefined && !(need === 'console' && tokenExpiredAt !== undefined)) return;
    const message = tokenExpiredAt
      ? login.consoleExpired(tokenExpiredAt)
      : wantsConsole
        ? login.consoleNeeded
        : login.needed;
    throw new CliError('NOT_LOGGED_IN', message, EXIT.forbidden, [
      wantsConsole ? 'changgu login --email <email>' : 'changgu login',
      ...(need === 'client' ? ['CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET'] : []),
    ]);
  }
}

/** The context of a command that may change something. In a dry run the first change ends the run and is shown. */
export class WritingCli extends Cli {
  constructor(context: RunContext) {
    super(context, new WriteGate(context.globals.dryRun ? 'dry-run' : 'open'));
  }

  /** Every question is answered with yes. */
  get assumeYes(): boolean {
    return this.globals.yes === true;
  }

  override client(need: Need = 'client'): Promise<Changgu> {
    return this.wholeClient(need);
  }

  /** Changes something on this machine. */
  async change<T>(what: Intent, act: () => Promise<T>): Promise<T> {
    this.gate.pass(what);
    const made = await act();
    this.gate.changed();
    return made;
  }

  /**
   * Asks before an irreversible act; the default is no.
   * @param what says what it does, and to what; called only where someone is asked
   * @throws CliError when the answer is no
   */
  async confirm(what: () => Promise<string>): Promise<void> {
    if (this.assumeYes || this.gate.dryRun) return;
    await confirm(this, what);
  }
}
