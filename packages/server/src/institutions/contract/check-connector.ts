import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ConnectorCase, FromRun, ToRun } from './connector-case.ts';

/** One rule of the contract and whether the connector keeps it. */
export interface ContractFinding {
  readonly rule: string;
  readonly kept: boolean;
  /** What was seen; empty when the rule was kept. */
  readonly seen: string;
}

const FROM_SOURCE = import.meta.url.endsWith('.ts');
/** A stopped connector has so long to end. */
const STOP_MS = 2_000;
const RUN_MS = 60_000;

/**
 * Holds one action of a connector to what the engine relies on: its result fits its schema, it ends
 * when it is stopped, it shows no secret, and an irreversible one takes effect only after the point
 * of no return, once. Runs it in processes of their own, and kills them.
 */
export async function checkConnector(connectorCase: ConnectorCase): Promise<ContractFinding[]> {
  const before = await connectorCase.effects?.();
  const whole = await observe(connectorCase, {});
  const effects = ((await connectorCase.effects?.()) ?? 0) - (before ?? 0);
  const done = whole.end?.kind === 'done' ? whole.end : null;
  const findings = [
    finding('succeeds on the test portal', done !== null, describeEnd(whole)),
    finding(
      'answers what its result schema says',
      (done?.violations ?? []).length === 0,
      done?.violations.join('; '),
    ),
    finding('announces its steps', whole.progress.length > 0, 'no progress'),
    finding(
      'shows no secret in result or progress',
      !showsSecret(connectorCase, whole),
      'a secret was seen',
    ),
    await checkStop(connectorCase),
  ];
  if (done?.irreversible !== true) {
    findings.push(
      finding('passes no point of no return', whole.points === 0, `${whole.points} times`),
    );
    return findings;
  }
  findings.push(
    finding('passes the point of no return once', whole.points === 1, `${whole.points} times`),
  );
  if (before !== undefined) {
    findings.push(finding('takes effect once in a whole run', effects === 1, `${effects} effects`));
  }
  return [...findings, ...(await checkEffects(connectorCase))];
}

/** True when every rule is kept. */
export function keepsContract(findings: readonly ContractFinding[]): boolean {
  return findings.every(({ kept }) => kept);
}

interface Orders {
  /** At the first request of the action. */
  readonly onFirstRequest?: 'stop';
  /** At the point of no return; default: let it pass. */
  readonly onPoint?: 'kill' | 'refuse';
  /** At the first request after the point. */
  readonly afterPoint?: 'kill';
  /** When the first request after the point has been answered. */
  readonly onAnswer?: 'kill';
}

interface Observation {
  readonly progress: string[];
  points: number;
  requestsAfterOrder: number;
  end: Extract<FromRun, { kind: 'done' | 'failed' }> | null;
  /** From the order to stop until the end. */
  tookMs: number;
}

/** Runs the action once in a process, following the orders. */
async function observe(connectorCase: ConnectorCase, orders: Orders): Promise<Observation> {
  const { effects: _, ...message } = connectorCase;
  const child = startRun();
  const seen: Observation = {
    progress: [],
    points: 0,
    requestsAfterOrder: 0,
    end: null,
    tookMs: 0,
  };
  let orderedAt: number | null = null;
  const order = (kind: ToRun['kind'] | 'kill') => {
    if (kind === 'kill') child.kill('SIGKILL');
    else child.send({ kind } satisfies Partial<ToRun>);
    if (kind !== 'pass') orderedAt ??= performance.now();
  };
  child.on('message', (told: FromRun) => {
    switch (told.kind) {
      case 'progress':
        seen.progress.push(told.message);
        break;
      case 'request':
        if (orderedAt !== null) seen.requestsAfterOrder += 1;
        else if (orders.onFirstRequest !== undefined) order(orders.onFirstRequest);
        else if (seen.points > 0 && orders.afterPoint !== undefined) order(orders.afterPoint);
        break;
      case 'answer':
        if (seen.points > 0 && orders.onAnswer !== undefined) order(orders.onAnswer);
        break;
      case 'point':
        seen.points += 1;
        order(orders.onPoint ?? 'pass');
        break;
      case 'done':
      case 'failed':
        seen.end = told;
        break;
    }
  });
  child.send({ kind: 'start', connectorCase: message } satisfies ToRun);
  await exitOf(child);
  seen.tookMs = orderedAt === null ? 0 : performance.now() - orderedAt;
  return seen;
}

async function exitOf(child: ChildProcess): Promise<void> {
  const tooLong = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  await once(child, 'exit');
  clearTimeout(tooLong);
}

function startRun(): ChildProcess {
  // Literal URLs, so that a bundler sees them; a test runner does not hand its conditions on.
  return FROM_SOURCE
    ? fork(new URL('./connector-run-process.ts', import.meta.url), {
        execArgv: ['--conditions=@changgu/source'],
      })
    : fork(new URL('./connector-run-process.js', import.meta.url));
}

async function checkStop(connectorCase: ConnectorCase): Promise<ContractFinding> {
  const seen = await observe(connectorCase, { onFirstRequest: 'stop' });
  const rule = 'ends within two seconds when it is stopped, and asks nothing more';
  const kept = seen.tookMs < STOP_MS && seen.requestsAfterOrder === 0;
  return finding(rule, kept, `${Math.round(seen.tookMs)} ms, ${seen.requestsAfterOrder} requests`);
}

/** Kills the process before and after the point of no return, and counts at the portal. */
async function checkEffects(connectorCase: ConnectorCase): Promise<ContractFinding[]> {
  const { effects } = connectorCase;
  if (effects === undefined) {
    return [finding('can be counted: irreversible actions need `effects`', false, 'no effects()')];
  }
  const during = async (orders: Orders) => {
    const before = await effects();
    const seen = await observe(connectorCase, orders);
    return { ...seen, count: (await effects()) - before };
  };
  const killed = await during({ onPoint: 'kill' });
  const refused = await during({ onPoint: 'refuse' });
  const late = await during({ afterPoint: 'kill' });
  const answered = await during({ onAnswer: 'kill' });
  return [
    finding(
      'takes no effect before the point of no return',
      killed.count === 0,
      `${killed.count} effects`,
    ),
    finding(
      'asks nothing more when the point of no return is refused',
      refused.count === 0 && refused.requestsAfterOrder === 0,
      `${refused.count} effects, ${refused.requestsAfterOrder} requests`,
    ),
    finding(
      'takes effect at most once when it is killed after it',
      late.count <= 1 && answered.count <= 1,
      `${late.count} effects before the answer, ${answered.count} after it`,
    ),
  ];
}

function showsSecret({ secrets = {}, link, account }: ConnectorCase, seen: Observation): boolean {
  const credential = link?.credential;
  const hidden = [
    ...Object.values(secrets),
    ...(credential?.type === 'id_password' ? [credential.loginPassword] : []),
    ...(credential?.type === 'certificate' ? [credential.password] : []),
    ...(account ? [account.accountNumber] : []),
  ];
  const shown = JSON.stringify([seen.progress, seen.end?.kind === 'done' ? seen.end.data : null]);
  return hidden.some((secret) => secret !== '' && shown.includes(secret));
}

function describeEnd({ end }: Observation): string {
  if (end === null) return 'it did not end';
  return end.kind === 'failed' ? end.error : '';
}

function finding(rule: string, kept: boolean, seen = ''): ContractFinding {
  return { rule, kept, seen: kept ? '' : seen };
}
