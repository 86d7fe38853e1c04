import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Artifact } from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { missingArgument, usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import { isMissing } from '../../config/private-file.ts';
import { onFile } from '../../file-error.ts';
import { write } from '../../io.ts';
import { readRun } from '../../journal/run-store.ts';
import type { Shape } from '../../output/shape.ts';
import { shellWord } from '../../output/shell-word.ts';
import { didYouMean } from '../../texts/did-you-mean.ts';
import { withinTimeout } from '../../time-limit.ts';
import { checkHome } from '../all-accounts/check-home.ts';
import { safeFileName, withSafeNames } from './safe-file-name.ts';

export interface DownloadOptions {
  /** Only the file of this name or id. */
  readonly name?: string | undefined;
  /** A file, a directory, or `-` for stdout; default: the working directory. */
  readonly to?: string | undefined;
  readonly force?: true | undefined;
  /** All files of this all-accounts run, instead of those of a job. */
  readonly run?: string | undefined;
}

interface SavedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

const SAVED: Shape = {
  fields: ['path', 'name', 'size_bytes', 'sha256'],
  columns: ['path', 'size_bytes'],
  id: 'path',
};

/** Saves a job's files: complete and verified, or not at all. */
export const download = writes<[jobId: string | undefined, options: DownloadOptions]>(
  (_, __, { to }) => (to === '-' ? 'bytes' : SAVED),
  async (cli, jobId, options) => {
    if (jobId === undefined && options.run === undefined) {
      throw missingArgument('job', cli.texts.files.jobOrRun);
    }
    if (jobId !== undefined && options.run !== undefined) {
      throw usageError(cli.texts.files.jobOrRun);
    }
    if (jobId === undefined) {
      await cli.output.list(filesOfRun(cli, options), SAVED);
      return undefined;
    }
    const client = await cli.client('any');
    const { artifacts } = await client.jobs.result(jobId, cli.call);
    const wanted = await choose(cli, artifacts, options.name);
    if (options.to === '-') await toStdout(cli, wanted);
    else await cli.output.list(await saveAll(cli, wanted, options), SAVED);
    return undefined;
  },
);

/** The files of every account that succeeded, each account in its own folder because names may be equal. */
async function* filesOfRun(
  cli: WritingCli,
  { run = 'last', to = '.', ...options }: DownloadOptions,
): AsyncGenerator<SavedFile> {
  if (to === '-') throw usageError(cli.texts.files.oneOnly);
  const state = await readRun(cli.locations.runsDir, run, cli.texts);
  const { accounts } = state;
  const client = await cli.client('any');
  await checkHome(cli, state);
  for (const {
    ended,
    masked_account_no: account,
    bank_account_credential_id: id,
  } of accounts.values()) {
    if (ended?.status !== 'SUCCEEDED') continue;
    const { artifacts } = await client.jobs.result(ended.job_id, cli.call);
    const folder = safeFileName(`${account}_${id.slice(0, 8)}`);
    yield* await saveAll(cli, artifacts, { ...options, to: `${join(to, folder)}/` });
  }
}

async function saveAll(
  cli: WritingCli,
  wanted: readonly Artifact[],
  { to = '.', force }: DownloadOptions,
): Promise<SavedFile[]> {
  const { texts } = cli;
  const target = resolve(cli.io.cwd, to);
  // A path that ends like a directory is one, created if missing.
  const isDirectory = /[/\\]$/.test(to) || (await isDir(target));
  if (!isDirectory && wanted.length > 1) throw usageError(texts.files.oneOnly);
  const folder = isDirectory ? target : dirname(target);
  if (!isDirectory && !(await isDir(folder))) throw usageError(texts.files.noFolder(folder));
  const files = withSafeNames(wanted).map(({ file, name }) => ({
    artifact: file,
    path: isDirectory ? join(target, name) : target,
  }));
  for (const { path } of files) {
    const found = await facts(path);
    if (found?.isFile() && !force) throw usageError(texts.files.exists(path), texts.files.force);
    // A pipe or a device would be replaced.
    if (found === null || found.isFile()) continue;
    const hints = isDirectory ? [] : [`--to - > ${shellWord(to)}`];
    throw usageError(texts.files.noRegular(path), ...hints);
  }
  const client = await cli.client('any');
  const saved: SavedFile[] = [];
  for (const { artifact, path } of files) {
    await cli.change({ writes: path }, async () => {
      await onFile(folder, () => mkdir(folder, { recursive: true }));
      await withinTimeout(cli, (signal) =>
        client.artifacts.download(artifact, { to: path, signal }),
      );
    });
    const { name, sizeBytes, sha256 } = artifact;
    saved.push({ path, name, sizeBytes, sha256 });
  }
  return saved;
}

async function choose(
  { texts }: Cli,
  artifacts: readonly Artifact[],
  name: string | undefined,
): Promise<Artifact[]> {
  if (artifacts.length === 0) throw usageError(texts.files.none);
  if (name === undefined) return [...artifacts];
  const found = artifacts.filter((one) => one.name === name || one.artifactId === name);
  if (found.length > 0) return found;
  const names = artifacts.map((one) => one.name);
  throw usageError(texts.files.noSuchFile(name), ...(await didYouMean(name, names, texts)));
}

async function toStdout(cli: WritingCli, wanted: readonly Artifact[]): Promise<void> {
  const { io, texts } = cli;
  const [artifact, ...others] = wanted;
  if (!artifact || others.length > 0) throw usageError(texts.files.oneOnly);
  if (io.stdout.isTTY) throw usageError(texts.files.binaryTerminal);
  const client = await cli.client('any');
  await withinTimeout(cli, async (signal) => {
    for await (const chunk of client.artifacts.stream(artifact, { signal }))
      await write(io.stdout, chunk);
  });
}

async function isDir(path: string): Promise<boolean> {
  return (await facts(path))?.isDirectory() ?? false;
}

async function facts(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
