import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Artifact, Changgu } from '@changgu/sdk';
import { nearest } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { isMissing } from '../../config/private-file.ts';
import { write } from '../../io.ts';
import { safeFileName } from './safe-file-name.ts';

export interface DownloadOptions {
  /** Only the file of this name or id. */
  readonly name?: string | undefined;
  /** A file, a directory, or `-` for stdout; default: the working directory. */
  readonly to?: string | undefined;
  readonly force?: true | undefined;
}

/** Saves the files of a job: whole and checked, or not at all. */
export async function download(
  cli: Cli,
  jobId: string,
  options: DownloadOptions,
): Promise<undefined> {
  const client = await cli.client('any');
  const { artifacts } = await client.jobs.result(jobId, cli.call);
  const wanted = choose(cli, artifacts, options.name);
  if (options.to === '-') return toStdout(cli, client, wanted);

  const target = resolve(cli.io.cwd, options.to ?? '.');
  const isDirectory = await isDir(target);
  if (!isDirectory && wanted.length > 1) throw usageError(cli.texts.files.oneOnly);
  const saved = [];
  for (const artifact of wanted) {
    const path = isDirectory ? join(target, safeFileName(artifact.name)) : target;
    if (!options.force && (await exists(path))) {
      throw usageError(cli.texts.files.exists(path), cli.texts.files.force);
    }
    await client.artifacts.download(artifact, { to: path, signal: cli.signal });
    saved.push({
      path,
      name: artifact.name,
      sizeBytes: artifact.sizeBytes,
      sha256: artifact.sha256,
    });
  }
  await cli.output.list(saved, { columns: ['path', 'size_bytes'], id: 'path' });
}

function choose(
  { texts }: Cli,
  artifacts: readonly Artifact[],
  name: string | undefined,
): Artifact[] {
  if (artifacts.length === 0) throw usageError(texts.files.none);
  if (name === undefined) return [...artifacts];
  const found = artifacts.filter((one) => one.name === name || one.artifactId === name);
  if (found.length > 0) return found;
  const meant = nearest(
    name,
    artifacts.map((one) => one.name),
  );
  throw usageError(
    texts.files.noSuchFile(name),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
  );
}

async function toStdout(
  { io, texts, signal }: Cli,
  client: Changgu,
  wanted: Artifact[],
): Promise<undefined> {
  const [artifact, ...others] = wanted;
  if (!artifact || others.length > 0) throw usageError(texts.files.oneOnly);
  if (io.stdout.isTTY) throw usageError(texts.files.binaryTerminal);
  for await (const chunk of client.artifacts.stream(artifact, { signal }))
    await write(io.stdout, chunk);
}

async function isDir(path: string): Promise<boolean> {
  return (await facts(path))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await facts(path)) !== null;
}

async function facts(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
