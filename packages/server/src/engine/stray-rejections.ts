import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connector } from '../institutions/connector.ts';

interface OwnRun {
  readonly action: string;
  strays: readonly unknown[];
}

const runs = new AsyncLocalStorage<OwnRun>();

/**
 * A team's own connector that forgot to await a promise: when that is rejected, its run fails, and not the server with
 * everyone's. What may have taken effect, or has been returned already, stays as the connector reports it. A connector
 * of ours has no such run: there it is a defect of the server. What the server itself starts within a run, such as a
 * write that other jobs share, counts as the run's: to tell it apart, each function of the call would have to leave it.
 */
export function withStraysCaught(connector: Connector): Connector {
  return (call) => {
    const run: OwnRun = { action: call.action.id, strays: [] };
    let isPastPoint = false;
    const pointOfNoReturn = async () => {
      await call.pointOfNoReturn();
      isPastPoint = true;
    };
    return runs.run(run, async () => {
      const data = await connector({ ...call, pointOfNoReturn });
      if (run.strays.length > 0 && !isPastPoint) throw run.strays[0];
      return data;
    });
  };
}

/** Called where a rejection was not handled. The action of the connector that it is of; null: it is the server's. */
export function takeStray(reason: unknown): string | null {
  const run = runs.getStore();
  if (run === undefined) return null;
  run.strays = [...run.strays, reason];
  return run.action;
}
