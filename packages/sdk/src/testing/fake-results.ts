import { isEndState, LIMITS } from '@changgu/contract';
import { type FakeAnswer, FakeRefusal, kstTime } from './fake-answer.ts';
import { type FakeFile, type FakeJob, ulidLike } from './fake-jobs.ts';
import { DAY_MS, type FakeState } from './fake-state.ts';

interface Artifact {
  readonly id: string;
  readonly job: FakeJob;
  readonly file: FakeFile;
}

/** Results and files: a fresh signed URL at every read, fifteen minutes, seven days. */
export class FakeResults {
  readonly #state: FakeState;
  readonly #baseUrl: string;

  constructor(state: FakeState, baseUrl: string) {
    this.#state = state;
    this.#baseUrl = baseUrl;
  }

  /** GET /v1/jobs/{job_id}/result. */
  async read(job: FakeJob): Promise<FakeAnswer> {
    const status = this.#state.jobs.stateOf(job);
    if (status !== 'SUCCEEDED') {
      const seconds = isEndState(status) ? undefined : 2;
      throw new FakeRefusal('JOB_NOT_SUCCEEDED', { retryAfterSeconds: seconds });
    }
    const { fate } = job;
    const data = fate.data === undefined ? { mock: true, params_echo: job.params } : fate.data;
    const artifacts = this.#artifactsOf(job).map((artifact) => this.#entry(artifact));
    return {
      status: 200,
      body: {
        job_id: job.id,
        status,
        result: { schema: `${job.action}.v1`, data, artifacts: await Promise.all(artifacts) },
        finished_at: this.#state.jobs.read(job).finished_at,
      },
    };
  }

  /** DELETE /v1/jobs/{job_id}/artifacts. */
  deleteOf(job: FakeJob): FakeAnswer {
    const count = this.#artifactsOf(job).length;
    job.artifactsDeleted = true;
    return { status: 200, body: { job_id: job.id, deleted_count: count } };
  }

  /** GET /v1/artifacts/{artifact_id}/download, with Range. */
  async download(id: string, query: URLSearchParams, headers: Headers): Promise<Response> {
    const expires = Number(query.get('exp'));
    if (query.get('sig') !== signature(id, expires) || this.#state.clock.now() >= expires * 1000) {
      throw new FakeRefusal('ARTIFACT_URL_EXPIRED');
    }
    const artifact = this.#state.jobs.all
      .flatMap((job) => this.#artifactsOf(job))
      .find((candidate) => candidate.id === id);
    if (!artifact) throw new FakeRefusal('ARTIFACT_NOT_FOUND');
    if (this.#state.clock.now() >= this.#retainedUntil(artifact.job)) {
      throw new FakeRefusal('ARTIFACT_EXPIRED');
    }
    const { bytes, contentType = 'application/octet-stream' } = artifact.file;
    const etag = `"${await sha256(bytes)}"`;
    const offset = rangeStart(headers, etag);
    const common = { etag, 'content-type': contentType };
    if (offset === null) return new Response(bytes, { headers: common });
    const contentRange = `bytes ${offset}-${bytes.length - 1}/${bytes.length}`;
    return new Response(bytes.subarray(offset), {
      status: 206,
      headers: { ...common, 'content-range': contentRange },
    });
  }

  #artifactsOf(job: FakeJob): Artifact[] {
    if (job.artifactsDeleted || this.#state.jobs.stateOf(job) !== 'SUCCEEDED') return [];
    const number = this.#state.jobs.all.indexOf(job) * 100;
    return (job.fate.files ?? []).map((file, index) => ({
      id: `art_${ulidLike(number + index + 1)}`,
      job,
      file,
    }));
  }

  async #entry({ id, job, file }: Artifact) {
    const now = this.#state.clock.now();
    const until = this.#retainedUntil(job);
    const expires = Math.floor(now / 1000) + LIMITS.artifactUrlSeconds;
    const path = `/v1/artifacts/${id}/download?exp=${expires}&sig=${signature(id, expires)}`;
    const expired = now >= until;
    return {
      artifact_id: id,
      name: file.name,
      content_type: file.contentType ?? 'application/octet-stream',
      size_bytes: file.bytes.length,
      sha256: await sha256(file.bytes),
      expires_at: kstTime(until),
      expired,
      download_url: expired ? null : `${this.#baseUrl}${path}`,
    };
  }

  #retainedUntil(job: FakeJob): number {
    const finished = this.#state.jobs.read(job).finished_at;
    return Date.parse(finished ?? '') + LIMITS.artifactRetentionDays * DAY_MS;
  }
}

/** Where a Range request resumes; null for the whole file. */
function rangeStart(headers: Headers, etag: string): number | null {
  const start = /^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1];
  return start !== undefined && headers.get('if-range') === etag ? Number(start) : null;
}

/** Enough to notice a changed URL; a fake has nothing to protect. */
function signature(id: string, expires: number): string {
  return `fake-${id}-${expires}`;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
