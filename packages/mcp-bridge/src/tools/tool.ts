import type { Job } from '@changgu/sdk';
import type { JsonObjectSchema } from '@changgu/sdk/catalogue';
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../json-object.ts';
import type { Envelope } from '../results/envelope.ts';
import type { Consent } from '../run/ask-consent.ts';
import type { Progress } from '../server/progress.ts';

/** All four hints, always: hosts guess badly at what is missing. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a caller brings besides arguments. */
export interface ToolContext {
  readonly progress: Progress;
  /** Aborted when the caller is gone. Ends a wait, never a job. */
  readonly signal: AbortSignal;
  readonly consent: Consent;
  /** The caller takes a task for an answer. */
  readonly takesTask: boolean;
}

/** A job under way, to be answered as a task. */
export interface TaskStarted {
  readonly task: Job;
}

/** An answer, a question to the person, or a task. */
export type Outcome =
  | { readonly envelope: Envelope }
  | { readonly ask: InputRequiredResult }
  | TaskStarted;

export interface Tool {
  /** `^[a-z][a-z0-9_]*$`, at most 40 characters. */
  readonly name: string;
  /** For people, Korean. */
  readonly title: string;
  /** For models, English; at most 1,000 characters. */
  readonly description: string;
  readonly inputSchema: JsonObjectSchema;
  readonly annotations: Annotations;
  /** @param args checked against the schema */
  run(args: JsonObject, context: ToolContext): Promise<Outcome>;
}

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
