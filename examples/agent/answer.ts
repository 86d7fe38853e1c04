import { z } from 'zod';

const NextStep = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type NextStep = z.infer<typeof NextStep>;

/** The form of every tool's answer. `next` says how to continue, `error.user_action` what only a person can do. */
export const Answer = z.object({
  status: z.string(),
  job_id: z.string().optional(),
  had_effect: z.string().optional(),
  data: z.unknown().optional(),
  files: z.array(z.object({ uri: z.string().optional(), mime_type: z.string() })).default([]),
  next: z.array(NextStep).default([]),
  error: z
    .object({ code: z.string(), next_action: z.string(), user_action: z.string().optional() })
    .optional(),
});
export type Answer = z.infer<typeof Answer>;

export function isUnfinished({ status }: Answer): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}
