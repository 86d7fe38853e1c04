import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { usageError } from '../cli-error.ts';
import { fileCodeOf, whyOf } from '../file-error.ts';
import type { Io } from '../io.ts';
import type { Texts } from '../texts/ko.ts';

/** Reads files and standard input for one command's options; standard input only once. */
export class InputReader {
  readonly #io: Io;
  readonly #texts: Texts;
  #stdinTakenBy: string | null = null;

  constructor(io: Io, texts: Texts) {
    this.#io = io;
    this.#texts = texts;
  }

  /** The bytes of `@file` or `@-`, or of `-`. @param option named in the message */
  async bytes(source: string, option: string): Promise<Uint8Array> {
    const path = source.replace(/^@/, '');
    return path === '-' ? this.#stdin(option) : this.#file(path);
  }

  async text(source: string, option: string): Promise<string> {
    const bytes = await this.bytes(source, option);
    if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
    // Read anyway, each other character would be sent as a replacement character.
    const { system } = this.#texts;
    throw usageError(system.file(source.replace(/^@?-?/, '') || option, system.whys.NOT_UTF8));
  }

  /** A JSON object, given directly or as `@file`, `@-`. */
  async jsonObject(given: string, option: string): Promise<Record<string, unknown>> {
    const value = await this.json(given, option);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value));
    }
    throw usageError(this.#texts.input.notObject(option));
  }

  async json(given: string, option: string): Promise<unknown> {
    const text = given.startsWith('@') || given === '-' ? await this.text(given, option) : given;
    try {
      return JSON.parse(text);
    } catch {
      throw usageError(this.#texts.input.notJson(option));
    }
  }

  async #stdin(option: string): Promise<Uint8Array> {
    const { input } = this.#texts;
    if (this.#stdinTakenBy !== null) throw usageError(input.stdinTwice(this.#stdinTakenBy, option));
    this.#stdinTakenBy = option;
    if (this.#io.stdin.isTTY) throw usageError(input.stdinTerminal(option));
    return buffer(this.#io.stdin);
  }

  async #file(path: string): Promise<Uint8Array> {
    try {
      return await readFile(resolve(this.#io.cwd, path));
    } catch (error) {
      const { system } = this.#texts;
      throw usageError(system.file(path, whyOf(fileCodeOf(error) ?? String(error), system)));
    }
  }
}

/** A secret from a file or a pipe usually ends with a line break that is not part of it. */
export function withoutLastLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
