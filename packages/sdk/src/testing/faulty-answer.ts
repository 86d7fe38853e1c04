import { FakeRefusal } from './fake-answer.ts';
import type { Fault } from './fault-script.ts';

/** Lets one fault happen around the work of the service. */
export async function answerWithFault(
  fault: Fault | null,
  signal: AbortSignal,
  work: () => Promise<Response>,
): Promise<Response> {
  signal.throwIfAborted();
  switch (fault?.kind) {
    case undefined:
      return work();
    case 'refuse':
      throw connectionError('ECONNREFUSED');
    case 'drop':
      if (fault.when === 'after') await work();
      throw connectionError('ECONNRESET');
    case 'silence':
      if (fault.when === 'after') await work();
      return aborted(signal);
    case 'truncate':
      return truncated(await work());
    case 'stall':
      return stalled(await work(), signal);
    case 'refusal':
      return refused(new FakeRefusal(fault.code, { retryAfterSeconds: fault.retryAfterSeconds }));
  }
}

/** As fetch throws it: the system's reason is the cause. */
function connectionError(code: string): TypeError {
  const cause = Object.assign(new Error(code), { code });
  return new TypeError('fetch failed', { cause });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function truncated(whole: Response): Promise<Response> {
  const text = await whole.text();
  const { status, headers } = whole;
  return new Response(text.slice(0, Math.floor(text.length / 2)), { status, headers });
}

function stalled({ status, headers }: Response, signal: AbortSignal): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'));
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
  });
  return new Response(body, { status, headers });
}

function refused(refusal: FakeRefusal): Response {
  const { status, body, headers } = refusal.toAnswer(`trc_${'0'.repeat(32)}`);
  const type = { 'content-type': 'application/json' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}
