import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { shapeCheck } from '../../validation/shape-check.ts';
import type { JsonObject, NewFile, PortalClient } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { createPortalHttp } from '../portal/client/http-client.ts';
import { accountOf, caseSession, frameOf, linkOf, loadModule } from './case-call.ts';
import { secretsOf, shows } from './case-secrets.ts';
import type { FromRun, PlainCase, RunFacts, Scene, ToRun } from './connector-case.ts';
import { faultyClient, withWrongPassword } from './faults.ts';
import { watchPresenting } from './watch-presenting.ts';

/** Runs a connector in a separate process, so that the contract suite can kill it. */

/** As long as the suite waits for what it ordered. */
const RUN_MS = 60_000;
let orderedAt = 0;
const stop = new AbortController();
const http = createPortalHttp();
let answerPoint: ((passed: boolean) => void) | undefined;

// Kept-alive connections would keep the process running.
process.on('disconnect', () => process.exit());
process.on('message', (message: ToRun) => {
  switch (message.kind) {
    case 'start':
      orderedAt = performance.now();
      void runAll(message);
      break;
    case 'stop':
      stop.abort(new Error('stopped by the contract suite'));
      break;
    case 'pass':
    case 'refuse':
      answerPoint?.(message.kind === 'pass');
      break;
  }
});

function tell(message: FromRun): void {
  process.send?.(message);
}

async function runAll({ connectorCase, scenes }: Extract<ToRun, { kind: 'start' }>): Promise<void> {
  if (scenes === undefined) return tell(await run(connectorCase, null, askForPoint));
  for (const scene of scenes) tell(await run(connectorCase, scene, async () => {}));
}

async function askForPoint(): Promise<void> {
  tell({ kind: 'point' });
  const passed = await new Promise<boolean>((resolve) => {
    answerPoint = resolve;
  });
  if (!passed) throw new Error('the point of no return was refused');
}

type Ended = Extract<FromRun, { kind: 'done' | 'failed' }>;

async function run(
  connectorCase: PlainCase,
  scene: Scene | null,
  pointOfNoReturn: () => Promise<void>,
): Promise<Ended> {
  const watch = createWatch(secretsOf(connectorCase));
  try {
    const data = await perform(connectorCase, scene, watch, pointOfNoReturn);
    watch.look('result', JSON.stringify(data));
    const { action } = (await loadModule(connectorCase.module)).find(connectorCase.action);
    const violations = shapeCheck(action.result, ['data'])(data);
    return {
      kind: 'done',
      data,
      violations: violations.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`),
      irreversible: action.irreversible,
      ...watch.facts(),
    };
  } catch (error) {
    const text = error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
    const isTyped = error instanceof InstitutionError;
    watch.look('error', `${text}${isTyped ? JSON.stringify(error.details) : ''}`);
    return { kind: 'failed', error: text, code: isTyped ? error.code : null, ...watch.facts() };
  }
}

async function perform(
  connectorCase: PlainCase,
  scene: Scene | null,
  watch: Watch,
  pointOfNoReturn: () => Promise<void>,
): Promise<JsonObject | null> {
  const module = await loadModule(connectorCase.module);
  const session = caseSession();
  let data: JsonObject | null = null;
  for (const id of [...(connectorCase.before ?? []), connectorCase.action]) {
    const { action, connector, site } = module.find(id);
    const isPrelude = id !== connectorCase.action;
    const used =
      scene === null || isPrelude ? connectorCase : withWrongPassword(connectorCase, scene);
    const { secrets = {}, params = {} } = used;
    const opened = { link: await linkOf(used), account: accountOf(used), secrets };
    const frame = frameOf(opened, site, {
      session,
      signal: stop.signal,
      clock: {
        now: async () => Date.now(),
        pause: (ms) => sleep(ms, undefined, { signal: stop.signal }),
      },
      submittedAt: Date.now(),
      timeLeft: () => orderedAt + RUN_MS - performance.now(),
      openPortal(itsSite, cookies) {
        const options = { baseUrl: connectorCase.baseUrl, signal: stop.signal, site: itsSite };
        const client = http.open({ ...options, cookies });
        if (isPrelude) return client;
        return watch.count(faultyClient(client, http.open(options), scene, watch.requests));
      },
      progress(message) {
        watch.look('progress', message);
        tell({ kind: 'progress', message });
      },
      addFile: watch.file,
      pointOfNoReturn,
      presenting: watch.presenting,
      unannounced: watch.unannounced,
    });
    data = await connector({ ...frame, action, params: isPrelude ? {} : params });
  }
  return data;
}

type Watch = ReturnType<typeof createWatch>;

/** Records what a run sends and shows. */
function createWatch(secrets: readonly string[]) {
  const leaks = new Set<string>();
  const credentialAt: number[] = [];
  const unannouncedAt: number[] = [];
  const files: string[] = [];
  let requests = 0;
  /** Nothing is sent after a stop, but the run learns of it only by a request that fails. */
  let knowsOfStop = false;
  const credential = watchPresenting();
  const look = (where: string, text: string) => {
    if (shows(text, secrets)) leaks.add(where);
  };
  return {
    look,
    requests: () => requests,
    facts: (): RunFacts => ({
      requests,
      credentialAt,
      unannouncedAt,
      files,
      leaks: [...leaks],
    }),
    presenting: credential.presenting,
    unannounced: credential.unannounced,
    count: (client: PortalClient): PortalClient => ({
      cookies: client.cookies,
      async request(order) {
        requests += 1;
        const { carries, unannounced } = credential.ofRequest();
        if (carries) credentialAt.push(requests);
        if (unannounced) unannouncedAt.push(requests);
        tell({ kind: 'request', stopped: knowsOfStop });
        const response = await client.request(order).catch((error: unknown) => {
          knowsOfStop = stop.signal.aborted;
          throw error;
        });
        tell({ kind: 'answer' });
        return response;
      },
    }),
    async file({ bytes }: NewFile): Promise<void> {
      const pieces: Uint8Array[] = bytes instanceof Uint8Array ? [bytes] : [];
      if (!(bytes instanceof Uint8Array)) for await (const piece of bytes) pieces.push(piece);
      const content = Buffer.concat(pieces);
      look('file', content.toString('latin1'));
      files.push(createHash('sha256').update(content).digest('hex'));
    },
  };
}
