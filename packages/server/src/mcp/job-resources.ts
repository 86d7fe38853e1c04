import {
  jobResourceOf,
  jobResourceTemplates,
  jobUri,
  MAX_RESOURCE_BYTES,
  shownMediaType,
} from '@changgu/contract/catalogue';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { readArtifact } from '../artifacts/read-artifact.ts';
import { listJobs } from '../jobs/list.ts';
import { readJob } from '../jobs/read.ts';
import { readResult } from '../jobs/result.ts';
import { jobAccess } from '../requests/access.ts';
import { actorOf } from '../rules/principals/actor.ts';
import { type Caller, knownFailure } from './caller.ts';
import { jobOutcome } from './job-outcome.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { protocolErrorOf } from './tools/tool-errors.ts';

const PAGE_SIZE = 20;

/** Jobs and their files as resources: what the links of results lead to. */
export function serveJobResources(
  server: Server,
  dependencies: McpDependencies,
  caller: Caller,
): void {
  const resourceTemplates = jobResourceTemplates(caller.language);
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/list', ({ params }) =>
    orProtocolError(caller, () => listResources(dependencies, caller, params?.cursor)),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    orProtocolError(caller, () => readResource(dependencies, caller, uri)),
  );
}

async function listResources(
  { store, submissions: { rules } }: McpDependencies,
  { principal, envScope, language }: Caller,
  cursor: string | undefined,
) {
  const query = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
  const { items, next_cursor } = await listJobs(store, jobAccess(principal, envScope), query);
  return {
    resources: items.map(({ job_id, action, status, submitted_at }) => ({
      uri: jobUri(job_id),
      name: job_id,
      title: rules.findAction(action)?.title[language] ?? action,
      description: `${status}, ${submitted_at}`,
      mimeType: 'application/json',
    })),
    ...(next_cursor === null ? {} : { nextCursor: next_cursor }),
  };
}

async function readResource(
  dependencies: McpDependencies,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult> {
  const wanted = jobResourceOf(uri);
  if (wanted === null) throw new ResourceNotFoundError(uri);
  const { jobId, file } = wanted;
  const access = jobAccess(caller.principal, caller.envScope);
  if (file !== null) return { contents: [await readFile(dependencies, caller, uri, wanted)] };
  const job = await readJob(dependencies.store, access, jobId);
  const outcome = await jobOutcome(dependencies, caller, job);
  const text = JSON.stringify({ job_id: jobId, ...outcome });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}

/** Bytes, also of a text: what an institution wrote must not reach a model as if it were ours. */
async function readFile(
  { store, results, files }: McpDependencies,
  { principal, envScope, origin }: Caller,
  uri: string,
  { jobId, file }: { readonly jobId: string; readonly file: number | null },
) {
  const { result } = await readResult(results, jobAccess(principal, envScope), jobId);
  const artifact = result.artifacts[(file ?? 0) - 1];
  if (!artifact?.artifact_id || artifact.expired) throw new ResourceNotFoundError(uri);
  const { artifact_id: artifactId, size_bytes: size } = artifact;
  if (size !== null && size > MAX_RESOURCE_BYTES) throw tooLarge(size);
  const bytes = await readArtifact({ store, vault: files }, artifactId, actorOf(principal, origin));
  const blob = Buffer.from(bytes).toString('base64');
  return { uri, blob, mimeType: shownMediaType(artifact.content_type) };
}

function tooLarge(bytes: number): ProtocolError {
  const message = `The file has ${bytes} bytes, and a resource holds ${MAX_RESOURCE_BYTES} at most: use its download_url.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

async function orProtocolError<T>(caller: Caller, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown;
    throw protocolErrorOf(knownFailure(caller, thrown), caller.language);
  }
}
