import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { secretsOf, shows } from './case-secrets.ts';
import { checkScenes } from './check-scenes.ts';
import type { ConnectorCase, FromRun, Scene, ToRun } from './connector-case.ts';
import { type ContractFinding, finding } from './finding.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');
/** How long a stopped connector may take to end. */
const STOP_MS = 2_000;
const RUN_MS = 60_000;

/**
 * Tests one action of a connector against what the engine relies on: its result fits its schema, it stops
 * when told to, it shows no secret, it notices faults of the portal, and an
 * irreversible action takes effect only after the point of no return, once. It runs in separate
 * processes, which are killed.
 */
export async function checkConnector(connectorCase: ConnectorCase): Promise<ContractFinding[]> {
  const { whole, effects, scenes } = await checkPlainRun(connectorCase);
  const done = whole.ends[0]?.kind === 'done' ? whole.ends[0] : null;
  const findings = [
    finding('succeeds on the test portal', done !== null, describeEnd(whole)),
    finding(
      'answers what its result schema says',
      (done?.violations ?? []).length === 0,
      done?.violations.join('; '),
    ),
    finding('announces its steps', whole.progress.length > 0, 'no progress'),
    finding(
      'announces each credential that it sends',
      (done?.unannouncedAt ?? []).length === 0,
      `not at request ${done?.unannouncedAt.join(', ')}`,
    ),
    checkLeaks(connectorCase, whole, scenes.ends),
    await checkStop(connectorCase),
    ...scenes.findings,
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
  if (effects !== undefined) {
    findings.push(finding('takes effect once in a whole run', effects === 1, `${effects} effects`));
  }
  return [...findings, ...(await checkEffects(connectorCase))];
}

/** A whole run, the effects that it had, and the scenes, in one process. */
async function checkPlainRun(connectorCase: ConnectorCase) {
  const before = await connectorCase.effects?.();
  const run = startRun(connectorCase, {});
  await run.perform();
  const [end] = run.seen.ends;
  const whole = { ...run.seen, ends: end === undefined ? [] : [end] };
  const after = await connectorCase.effects?.();
  const effects = before === undefined ? undefined : (after ?? 0) - before;
  const scenes =
    end?.kind === 'done'
      ? await checkScenes(connectorCase, end, async (list) => {
          await run.perform(list);
          return run.seen.ends.slice(1);
        })
      : { findings: [], ends: [] };
  await run.close();
  return { whole: { ...whole, output: run.seen.output }, effects, scenes };
}

/** In results, progress, errors and files as the runs report them, and in their output. */
function checkLeaks(
  connectorCase: ConnectorCase,
  whole: Observation,
  ends: readonly Ended[],
): ContractFinding {
  const leaks = new Set([...whole.ends, ...ends].flatMap((end) => end.leaks));
  if (shows(whole.output, secretsOf(connectorCase))) leaks.add('log');
  const rule = 'shows no secret in results, progress, errors, files or logs';
  return finding(rule, leaks.size === 0, `a secret was seen: ${[...leaks].join(', ')}`);
}

type Ended = Extract<FromRun, { kind: 'done' | 'failed' }>;

interface Orders {
  /** At the action's first request. */
  readonly onFirstRequest?: 'stop';
  /** At the point of no return; default: pass. */
  readonly onPoint?: 'kill' | 'refuse';
  /** At the first request after the point. */
  readonly afterPoint?: 'kill';
  /** When the first request after the point was answered. */
  readonly onAnswer?: 'kill';
}

interface Observation {
  readonly progress: string[];
  points: number;
  requestsAfterOrder: number;
  readonly ends: Ended[];
  /** Its standard output. */
  output: string;
  /** From the order to stop to the end. */
  tookMs: number;
}

/** Runs the action once, in a process of its own, following the orders. */
async function observe(connectorCase: ConnectorCase, orders: Orders): Promise<Observation> {
  const run = startRun(connectorCase, orders);
  await run.perform();
  await run.close();
  return run.seen;
}

interface Run {
  readonly seen: Observation;
  /** Runs the action once, or once for each scene, unless the process ends first. */
  perform(scenes?: readonly (Scene | null)[]): Promise<void>;
  /** Ends the process, and resolves when it has written all its output. */
  close(): Promise<void>;
}

/** Starts a process in which the action runs. */
function startRun(connectorCase: ConnectorCase, orders: Orders): Run {
  const { effects: _, ...plainCase } = connectorCase;
  const child = startProcess();
  const exit = once(child, 'exit');
  const seen = watch(child, orders);
  const inTime = async (end: Promise<unknown>) => {
    const tooLong = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
    await Promise.race([exit, end]);
    clearTimeout(tooLong);
  };
  return {
    seen,
    async perform(scenes) {
      const expected = seen.ends.length + (scenes?.length ?? 1);
      const ended = new Promise<void>((resolve) => {
        child.on('message', () => seen.ends.length >= expected && resolve());
      });
      const start = { kind: 'start', connectorCase: plainCase } satisfies ToRun;
      if (child.connected) child.send(scenes === undefined ? start : { ...start, scenes });
      await inTime(ended);
    },
    async close() {
      if (child.connected) child.disconnect();
      await inTime(exit);
    },
  };
}

/** Collects what a process tells and prints, and gives it its orders. */
function watch(child: ChildProcess, orders: Orders): Observation {
  const seen: Observation = {
    progress: [],
    points: 0,
    requestsAfterOrder: 0,
    ends: [],
    output: '',
    tookMs: 0,
  };
  let orderedAt: number | null = null;
  const order = (kind: ToRun['kind'] | 'kill') => {
    if (kind === 'kill') child.kill('SIGKILL');
    else child.send({ kind } satisfies Partial<ToRun>);
    if (kind !== 'pass') orderedAt ??= performance.now();
  };
  // The run has ended when it says so: how long its process takes to exit is not the connector's doing.
  const noteTime = () => {
    seen.tookMs = orderedAt === null ? 0 : performance.now() - orderedAt;
  };
  child.once('exit', () => seen.ends.length === 0 && noteTime());
  child.on('message', (told: FromRun) => {
    switch (told.kind) {
      case 'progress':
        seen.progress.push(told.message);
        break;
      case 'request':
        // An order to stop takes a moment to arrive, and a quick run may legitimately send a request meanwhile.
        if (orderedAt !== null) seen.requestsAfterOrder += isLate(orders, told) ? 1 : 0;
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
        seen.ends.push(told);
        noteTime();
        break;
    }
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      seen.output += String(piece);
    });
  }
  return seen;
}

function isLate({ onFirstRequest }: Orders, { stopped }: { readonly stopped: boolean }): boolean {
  return onFirstRequest !== 'stop' || stopped;
}

function startProcess(): ChildProcess {
  // Literal URLs, so that bundlers see them; a test runner does not pass its conditions on.
  return FROM_SOURCE
    ? fork(new URL('./connector-run-process.ts', import.meta.url), {
        execArgv: ['--conditions=@changgu/source'],
        silent: true,
      })
    : fork(new URL('./connector-run-process.js', import.meta.url), { silent: true });
}

async function checkStop(connectorCase: ConnectorCase): Promise<ContractFinding> {
  const seen = await observe(connectorCase, { onFirstRequest: 'stop' });
  const rule = 'ends within two seconds when it is stopped, and asks nothing more';
  const kept = seen.tookMs < STOP_MS && seen.requestsAfterOrder === 0;
  return finding(rule, kept, `${Math.round(seen.tookMs)} ms, ${seen.requestsAfterOrder} requests`);
}

/** Kills the process before and after the point of no return, and counts effects at the portal. */
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
  const answered = await during({ onAnswer: 'kill' });
  // The last: a portal may handle what it was sent after the sender's death, and later than it is asked.
  const late = await during({ afterPoint: 'kill' });
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

function describeEnd({ ends: [end], output }: Observation): string {
  if (end === undefined) return `it did not end: ${output.slice(0, 500)}`;
  return end.kind === 'failed' ? end.error : '';
}
