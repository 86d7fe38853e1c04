import { setTimeout as pause } from 'node:timers/promises';

/** A persistent caller of the job API: it sends a submission again until it is answered. */
export interface Submission {
  readonly key: string;
  readonly envScope: 'sandbox' | 'real_test';
  readonly body: {
    readonly provider: string;
    readonly action: string;
    readonly account_link_id?: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

export interface Api {
  readonly url: string;
  readonly authorization: string;
}

/** Longer than any server takes that works. */
const ANSWER_MS = 60_000;

/** Job id of an accepted submission. @throws Error for any other answer, and for none */
export async function submit(api: () => Api, submission: Submission): Promise<string> {
  for (;;) {
    const { url, authorization } = api();
    const answer = await fetch(new URL('/v1/jobs', url), {
      method: 'POST',
      headers: {
        authorization,
        'x-env-scope': submission.envScope,
        'idempotency-key': submission.key,
        'content-type': 'application/json',
      },
      body: JSON.stringify(submission.body),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(nothingOnceBroken);
    const text = await answer?.text().catch(nothingOnceBroken);
    // The server was killed before or while it answered, or its database is busy: the same request may be sent again.
    if (!answer || text == null || answer.status === 503) {
      await pause(50);
      continue;
    }
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    const { job_id: id }: { job_id: string } = JSON.parse(text);
    return id;
  }
}

/** A connection may break; a server that keeps it open has to answer. */
function nothingOnceBroken(failure: unknown): null {
  if (failure instanceof DOMException && failure.name === 'TimeoutError') {
    throw new Error(`the server has not answered for ${ANSWER_MS / 1_000} s`, { cause: failure });
  }
  return null;
}

/** Processes all items, this many at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
