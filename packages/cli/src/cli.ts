import type { Changgu, RequestOptions } from '@changgu/sdk';
import { CliError, usageError } from './cli-error.ts';
import { createClient } from './client.ts';
import { type Locations, locate } from './config/locations.ts';
import { readSettings, type SettingFlags, type Settings } from './config/settings.ts';
import { type Credentials, readCredentials } from './credentials/credentials.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Language } from './language.ts';
import { defaultFormat, type Format, isJson } from './output/format.ts';
import { Notes } from './output/notes.ts';
import { Output } from './output/output.ts';
import { ProgressLine } from './output/progress-line.ts';
import { type Style, styleFor } from './output/style.ts';
import type { Texts } from './texts/ko.ts';

/** Options that every command takes, as commander reads them. */
export interface GlobalOptions extends SettingFlags {
  readonly output?: Format | undefined;
  readonly json?: true | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly color: boolean;
  readonly quiet?: true | undefined;
  readonly debug?: true | undefined;
  readonly input: boolean;
  readonly yes?: true | undefined;
  readonly dryRun?: true | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly config?: string | undefined;
}

/** Whose credentials a command needs at least. */
export type Need = 'client' | 'console' | 'any';

/** Everything that a command works with. */
export class Cli {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  readonly globals: GlobalOptions;
  readonly locations: Locations;
  readonly output: Output;
  readonly notes: Notes;
  /** Colours of stderr. */
  readonly style: Style;
  /** Aborts when the user asks to stop. */
  readonly signal: AbortSignal;
  #settings: Promise<Settings> | undefined;
  #client: Changgu | undefined;

  constructor(
    io: Io,
    language: Language,
    texts: Texts,
    globals: GlobalOptions,
    signal: AbortSignal,
  ) {
    this.io = io;
    this.language = language;
    this.texts = texts;
    this.globals = globals;
    this.signal = signal;
    this.locations = locate(io, globals.config);
    const format = formatOf(globals, io);
    this.style = styleFor(io.stderr, io.env, globals.color);
    this.output = new Output({
      stdout: io.stdout,
      format,
      fields: globals.fields ?? null,
      texts,
      style: styleFor(io.stdout, io.env, globals.color),
    });
    const silent = isJson(format);
    const quiet = globals.quiet === true;
    this.notes = new Notes({ io, texts, style: this.style, silent, quiet });
  }

  /** May a question be asked? Both ends must be a person's. */
  get interactive(): boolean {
    const { io, globals } = this;
    const people = io.stdin.isTTY === true && io.stderr.isTTY === true;
    return people && globals.input && !io.env.CI && io.env.TERM !== 'dumb';
  }

  /** Options of one call: it ends when the user asks to stop, or with --timeout. */
  get call(): RequestOptions {
    const { signal, globals } = this;
    return {
      signal,
      ...(globals.timeout === undefined ? {} : { totalTimeoutMs: globals.timeout }),
    };
  }

  settings(): Promise<Settings> {
    this.#settings ??= this.#readSettings();
    return this.#settings;
  }

  async credentials(): Promise<Credentials> {
    return readCredentials(this.io, await this.settings(), this.locations, this.texts);
  }

  /** The client of this run. @throws CliError NOT_LOGGED_IN without the credentials that are needed */
  async client(need: Need = 'client'): Promise<Changgu> {
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

  progress(): ProgressLine {
    const { io, style, globals, output } = this;
    const silent = isJson(output.format) || globals.quiet === true;
    const drawn = io.stderr.isTTY === true && io.env.TERM !== 'dumb' && !io.env.CI;
    return new ProgressLine({
      io,
      style,
      mode: silent ? 'silent' : drawn ? 'animated' : 'milestones',
    });
  }

  /** Ends idle connections, so that the process can end. */
  async close(): Promise<void> {
    await this.#client?.close();
  }

  async #readSettings(): Promise<Settings> {
    const settings = await readSettings(this.io, this.locations, this.globals, this.texts);
    for (const { flag, variable } of settings.conflicts) {
      await this.notes.warn(this.texts.config.flagBeatsEnv(flag, variable));
    }
    return settings;
  }

  #check({ clientId, token }: Credentials, need: Need): void {
    const { login } = this.texts;
    if (need === 'console' ? token !== undefined || clientId !== undefined : (clientId ?? token))
      return;
    const message = need === 'console' ? login.consoleNeeded : login.needed;
    const hint = need === 'console' ? 'changgu login --email <email>' : 'changgu login';
    throw new CliError('NOT_LOGGED_IN', message, EXIT.forbidden, [
      hint,
      ...(need === 'client' ? ['CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET'] : []),
    ]);
  }
}

function formatOf({ output, json }: GlobalOptions, { stdout }: Io): Format {
  if (json) return output === 'ndjson' ? 'ndjson' : 'json';
  return output ?? defaultFormat(stdout.isTTY === true);
}
