import { isEndState, type JobHandle } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import type { Envelope } from '../results/envelope.ts';
import type { Explained } from '../results/explain-error.ts';
import { explainProblems, explainThrown } from '../results/explain-error.ts';
import type { Outcome, ToolContext } from '../tools/tool.ts';
import { confirm } from './confirm.ts';
import { failedEnvelope, unreadJob } from './job-envelope.ts';
import { runAccounts } from './run-accounts.ts';
import { checkSelection, type ServiceCall } from './service-call.ts';
import { submitOnce } from './submit-once.ts';
import { waitForJob } from './wait-for-job.ts';

/** Runs a service: confirms irreversible acts first, submits once, waits for a bounded time. */
export async function runService(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
): Promise<Outcome> {
  const problem = checkSelection(call);
  if (problem) return refused(bridge, call, explainProblems(bridge, [problem]));
  try {
    const consented = await confirm(bridge, call, context.consent);
    if (!('agreed' in consented)) return consented;
    const { agreed } = consented;
    if (agreed.allAccounts) return { envelope: await runAccounts(bridge, agreed, context) };
    return await runOne(bridge, agreed, context);
  } catch (error) {
    return refused(bridge, call, explainThrown(bridge, error, originOf(call)));
  }
}

/** A job that ends within this time is answered directly, because a task would cost its host another round. */
const TASK_GRACE_SECONDS = 2;

async function runOne(bridge: Bridge, call: ServiceCall, context: ToolContext): Promise<Outcome> {
  const startedAt = bridge.clock.now();
  const handle = await submitOnce(bridge, call, context.signal);
  const outcome = await outcomeOf(bridge, call, context, { handle, startedAt }).catch((error) => {
    const explained = explainThrown(bridge, error, originOf(call));
    return { envelope: unreadJob(bridge, handle, explained, call.action.id) };
  });
  if (!('envelope' in outcome) || !handle.replayed) return outcome;
  return { envelope: { ...outcome.envelope, deduplicated: true } };
}

interface Submitted {
  readonly handle: JobHandle;
  readonly startedAt: number;
}

async function outcomeOf(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
  { handle, startedAt }: Submitted,
): Promise<Outcome> {
  context.progress.report(0, `작업을 접수했습니다: ${handle.id}`);
  // A slow submission counts towards the wait, because hosts measure from the call.
  const left = Math.max(0, call.waitSeconds - (bridge.clock.now() - startedAt) / 1000);
  const envelope = await waitForJob(bridge, handle, {
    action: call.action,
    accountLinkId: call.accountLinkId,
    data: call.view,
    waitSeconds: context.takesTask ? Math.min(left, TASK_GRACE_SECONDS) : left,
    context,
  });
  if (context.takesTask && isUnfinished(envelope)) {
    const job = await handle.poll();
    if (!isEndState(job.status)) return { task: job };
  }
  return { envelope };
}

function isUnfinished({ status }: Envelope): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

function refused(bridge: Bridge, call: ServiceCall, explained: Explained): Outcome {
  return { envelope: failedEnvelope(bridge, explained, call.action.id) };
}

function originOf({ action, accountLinkId }: ServiceCall) {
  return { action, accountLinkId };
}
