import type { JobResult } from '@changgu/sdk';
import {
  jobResourceOf,
  jobResourceTemplates,
  jobUri,
  MAX_RESOURCE_BYTES,
  shownMediaType,
} from '@changgu/sdk/catalogue';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import type { Bridge } from '../bridge.ts';
import { explainThrown } from '../results/explain-error.ts';
import { handleOf, readVisibleJob } from '../run/visible-job.ts';
import { waitForJob } from '../run/wait-for-job.ts';

const PAGE_SIZE = 20;
const SILENT = { report: () => undefined };

/** Jobs and their files as resources: what a link in a result leads to, also for a host on another machine. */
export function serveJobResources(server: Server, bridge: Bridge): void {
  const templates = jobResourceTemplates(bridge.settings.language);
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }));
  server.setRequestHandler('resources/list', ({ params }) =>
    orProtocolError(bridge, () => listJobs(bridge, params?.cursor)),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) =>
    orProtocolError(bridge, () => readResource(bridge, uri, mcpReq.signal)),
  );
}

async function listJobs(bridge: Bridge, cursor: string | undefined) {
  const page = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
  const { items, nextCursor } = await bridge.client.jobs.list(page);
  const { services } = bridge.offering.now;
  return {
    resources: items
      .filter(({ action }) => bridge.sees(action))
      .map(({ jobId, action, status, submittedAt }) => ({
        uri: jobUri(jobId),
        name: jobId,
        title: services.get(action)?.title[bridge.settings.language] ?? action,
        description: `${status}, ${submittedAt}`,
        mimeType: 'application/json',
      })),
    ...(nextCursor === null ? {} : { nextCursor }),
  };
}

async function readResource(
  bridge: Bridge,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const wanted = jobResourceOf(uri);
  if (wanted === null) throw new ResourceNotFoundError(uri);
  if (wanted.file === null) {
    const wait = { action: undefined, waitSeconds: 0, context: { progress: SILENT, signal } };
    const envelope = await waitForJob(bridge, handleOf(bridge, wanted.jobId), wait);
    return {
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(envelope) }],
    };
  }
  await readVisibleJob(bridge, wanted.jobId, signal);
  const result = await bridge.client.jobs.result(wanted.jobId, { signal });
  return { contents: [await readFile(bridge, result, { uri, file: wanted.file }, signal)] };
}

/** Bytes, also of a text: what an institution wrote must not reach a model as if it were ours. */
async function readFile(
  { client }: Bridge,
  { artifacts }: JobResult,
  { uri, file }: { readonly uri: string; readonly file: number },
  signal: AbortSignal,
) {
  const artifact = artifacts[file - 1];
  if (artifact === undefined || artifact.expired) throw new ResourceNotFoundError(uri);
  const { sizeBytes, contentType } = artifact;
  if (sizeBytes !== null && sizeBytes > MAX_RESOURCE_BYTES) throw tooLarge(sizeBytes);
  const bytes = await client.artifacts.bytes(artifact, { signal });
  if (bytes.length > MAX_RESOURCE_BYTES) throw tooLarge(bytes.length);
  const blob = Buffer.from(bytes).toString('base64');
  return { uri, blob, mimeType: shownMediaType(contentType) };
}

function tooLarge(bytes: number): ProtocolError {
  const message = `The file has ${bytes} bytes, and a resource holds ${MAX_RESOURCE_BYTES} at most. Download it with \`changgu artifacts download\` and the id of the job.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** What the SDK throws, in our own words: a resource has no answer but its contents. */
async function orProtocolError<T>(bridge: Bridge, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown;
    const { error } = explainThrown(bridge, thrown);
    const message = `${error.code}: ${error.message} ${error.next_action}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
}
