import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Artifact, Changgu, JobResult } from '@changgu/sdk';
import type { SavedFile } from './envelope.ts';

/** Files of jobs, saved on this machine: a result holds links, never bytes. */
export interface SavedFiles {
  /** @throws what the SDK's download throws */
  save(result: JobResult, signal: AbortSignal): Promise<readonly SavedFile[]>;
  /** What there is, without fetching it. */
  list(result: JobResult): readonly SavedFile[];
}

const UNKNOWN_TYPE = 'application/octet-stream';

/** @param directory made when the first file comes, for its owner alone */
export function savedFiles(client: Changgu, directory: string): SavedFiles {
  return {
    async save({ artifacts, jobId }, signal) {
      const available = artifacts.filter(({ expired }) => !expired);
      if (available.length === 0) return [];
      const folder = join(directory, safeName(jobId));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return Promise.all(
        available.map(async (artifact, index) => {
          const name = `${index === 0 ? '' : `${index + 1}-`}${safeName(artifact.name)}`;
          const to = join(folder, name);
          await client.artifacts.download(artifact, { to, signal });
          return { ...describe(artifact), uri: pathToFileURL(to).href };
        }),
      );
    },
    list: ({ artifacts }) => artifacts.map(describe),
  };
}

function describe({ name, contentType, sizeBytes }: Artifact): SavedFile {
  return { name: safeName(name), mime_type: contentType ?? UNKNOWN_TYPE, size_bytes: sizeBytes };
}

/** A name that stays in its folder on every system, whatever an institution called the file. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g, '_')
    .replace(/^\.+/, '_')
    .trim();
  return plain.slice(-120) || 'file';
}
