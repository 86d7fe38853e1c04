import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { progressOf } from './progress.ts';

it('never tells the same progress twice, and never the end', () => {
  const told: unknown[] = [];
  const notify = async ({ params }: { params: { progress: number } }) => {
    told.push(params.progress);
  };
  // Of a call, progress reads these two alone.
  const context = { mcpReq: { _meta: { progressToken: 1 }, notify } } as unknown as ServerContext;
  const progress = progressOf(context);
  for (const percent of [0, 40, 40, 10, 99.99, 99.99, 100]) progress.report(percent, 'on the way');
  expect(told).toEqual([0, 40, 40.01, 40.02, 99.99]);
});
