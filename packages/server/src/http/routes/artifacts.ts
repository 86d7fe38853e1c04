import { Readable } from 'node:stream';
import { operations } from '@changgu/contract/schemas';
import { assertMayDelete, deleteArtifacts } from '../../artifacts/delete.ts';
import {
  type Download,
  type DownloadDependencies,
  openDownload,
} from '../../artifacts/download.ts';
import type { Clock } from '../../clock.ts';
import { jobAccess } from '../../requests/access.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import { addressKey } from '../../rules/principals/address-key.ts';
import type { HttpApp } from '../app.ts';
import { createRateLimiter } from '../rate-limit.ts';
import { route } from '../route.ts';

/** Rows of the audit log for one file and one address: nothing deletes them, and one URL serves any number of parts. */
const RECORDED = { limit: 10, windowSeconds: 60 };

interface ArtifactRouteDependencies extends DownloadDependencies {
  readonly clock: Clock;
}

/** Files of jobs: download by signed URL, delete. */
export function artifactRoutes(app: HttpApp, dependencies: ArtifactRouteDependencies): void {
  const { clock, ...downloads } = dependencies;
  const records = createRateLimiter(RECORDED, clock);

  route(app, operations.jobs.deleteJobArtifacts, async (request) => {
    const { principal, envScope, params, origin } = request;
    const access = jobAccess(principal, envScope);
    assertMayDelete(principal);
    const actor = actorOf(principal, origin);
    return {
      status: 200,
      body: await deleteArtifacts(downloads.store, access, params.job_id, actor),
    };
  });

  route(
    app,
    operations.artifacts.downloadArtifact,
    async (request) => {
      const { params, query, headers, origin } = request;
      const download = await openDownload(downloads, {
        artifactId: params.artifact_id,
        signature: { exp: query.exp ?? '', sig: query.sig ?? '' },
        range: headers.range,
        ifRange: [headers['if-range']].flat()[0],
        origin,
        isRecorded: () =>
          records.consume(`${params.artifact_id} ${addressKey(origin.address)}`).allowed,
      });
      return answer(download);
    },
    { misaddressed: 'ARTIFACT_URL_EXPIRED' },
  );
}

function answer(download: Download) {
  const { status, sizeBytes } = download;
  const body = Readable.from(download.body, { objectMode: false });
  const headers = {
    'content-type': download.contentType,
    'content-disposition': attachment(download.name),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag: download.etag,
  };
  if (status === 200) return { status, body, headers: { ...headers, 'content-length': sizeBytes } };
  const { start, end } = download.range;
  return {
    status,
    body,
    headers: {
      ...headers,
      'content-length': end - start,
      'content-range': `bytes ${start}-${end - 1}/${sizeBytes}`,
    },
  };
}

/** RFC 8187. No `filename` beside it: underscores in place of a Korean name tell no one anything. */
function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
