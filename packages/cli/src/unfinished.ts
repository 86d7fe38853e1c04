/** A run that ended too early: what is still open, and how to resume it. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
  /** What is open, as in JSON: ids of jobs, name of a run. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same for people. */
  readonly notice: string;
  /** Commands to type next; the first one resumes it. */
  readonly commands: readonly string[];

  constructor(
    cause: unknown,
    { facts, notice, commands }: Pick<Unfinished, 'facts' | 'notice' | 'commands'>,
  ) {
    super(notice, { cause });
    this.facts = facts;
    this.notice = notice;
    this.commands = commands;
  }
}
