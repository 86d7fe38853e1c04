import type { JobState } from '@changgu/contract';
import type { Artifact, JobResultResponse } from '@changgu/contract/schemas';
import type { UrlSigner } from '../crypto/signed-url.ts';
import type { Vault } from '../crypto/vault.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { retryAfterSeconds } from '../rules/jobs/retry-after.ts';
import { kstTime } from '../rules/kst.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ArtifactFacts, ResultFacts } from '../store/queue/results.ts';
import { resultPlace } from '../store/schema/sealed-places.ts';

export interface ResultDependencies {
  readonly store: Pick<Store, 'results'>;
  readonly vault: Pick<Vault, 'open'>;
  /** The receipt of a job that passed its point of no return. */
  readonly receiptOf: (access: JobAccess, jobId: string) => Promise<string | null>;
  readonly urlSigner: Pick<UrlSigner, 'sign'>;
  /** Origin of download URLs, without a trailing slash. */
  readonly publicBaseUrl: () => string;
}

/**
 * GET /v1/jobs/{job_id}/result. Every read signs fresh URLs.
 * @throws ServiceError JOB_NOT_FOUND; JOB_NOT_SUCCEEDED in any other state
 */
export async function readResult(
  dependencies: ResultDependencies,
  access: JobAccess,
  jobId: string,
): Promise<JobResultResponse> {
  const { store, vault } = dependencies;
  const facts = await store.results.find({ access, jobId });
  if (facts === null) throw new ServiceError('JOB_NOT_FOUND');
  if (facts.status !== 'SUCCEEDED') throw notSucceeded(facts);
  const data =
    facts.result === null
      ? null
      : parseSealed(
          await vault.open(String(access.organizationId), resultPlace(jobId), facts.result),
        );
  const artifacts = facts.artifacts.map((artifact) =>
    artifactView(dependencies, artifact, facts.now),
  );
  const receipt = facts.passedPoint ? await dependencies.receiptOf(access, jobId) : null;
  const file = facts.resultAsFile ? artifacts.find(({ download_url }) => download_url) : undefined;
  return {
    job_id: jobId,
    status: 'SUCCEEDED',
    result: {
      schema: facts.resultSchema,
      data,
      ...(file?.download_url ? { download_url: file.download_url } : {}),
      artifacts,
    },
    finished_at: kstTime(facts.finishedAt ?? facts.now),
    ...(receipt === null ? {} : { receipt }),
  };
}

/** An expired file keeps its entry, without a URL. */
function artifactView(
  { urlSigner, publicBaseUrl }: ResultDependencies,
  artifact: ArtifactFacts,
  now: number,
): Artifact {
  const expired = now >= artifact.expiresAt;
  const query = new URLSearchParams({ ...urlSigner.sign(artifact.id, now) });
  return {
    artifact_id: artifact.id,
    name: artifact.name,
    content_type: artifact.contentType,
    size_bytes: artifact.sizeBytes,
    sha256: artifact.sha256,
    expires_at: kstTime(artifact.expiresAt),
    expired,
    download_url: expired
      ? null
      : `${publicBaseUrl()}/v1/artifacts/${artifact.id}/download?${query}`,
  };
}

function parseSealed(bytes: Uint8Array): Record<string, unknown> | null {
  // Sealed by the engine as JSON of result.data, which is an object or null.
  return JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown> | null;
}

/** A 409 that names the state; retryable while the job is queued or running. */
function notSucceeded({ status, startedAt, now }: ResultFacts): ServiceError {
  const seconds = retryAfterSeconds(status, startedAt, now);
  const fact =
    seconds === null ? '작업이 성공하지 못하여 결과가 없습니다.' : '작업이 아직 끝나지 않았습니다.';
  return new ServiceError('JOB_NOT_SUCCEEDED', {
    message: {
      ko: `${fact} 현재 상태: ${KOREAN_STATE[status]}(${status}).`,
      en: `The job has not succeeded: its state is ${status}.`,
    },
    retryable: seconds !== null,
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
  });
}

const KOREAN_STATE: Readonly<Record<JobState, string>> = {
  QUEUED: '대기 중',
  RUNNING: '실행 중',
  SUCCEEDED: '성공',
  FAILED: '실패',
  TIMEOUT: '시간 초과',
  CANCELED: '취소됨',
};
