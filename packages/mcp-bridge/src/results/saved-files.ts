import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIRECTION_MARKS } from '@changgu/contract/harmless-text';
import type { Artifact, Changgu, JobResult } from '@changgu/sdk';
import {
  type CatalogueAction,
  jobFileUri,
  shownFileName,
  shownMediaType,
} from '@changgu/sdk/catalogue';
import type { SavedFile } from './envelope.ts';
import { shownText, type UntrustedOptions } from './untrusted-text.ts';

/** Files of jobs: a result holds links, never bytes. */
export interface SavedFiles {
  /** @throws what the SDK's download throws */
  save(
    result: JobResult,
    action: CatalogueAction | undefined,
    signal: AbortSignal,
  ): Promise<readonly SavedFile[]>;
  /** Lists the files without downloading them. */
  list(
    result: Pick<JobResult, 'artifacts'>,
    action: CatalogueAction | undefined,
  ): readonly SavedFile[];
}

/**
 * Saves files on this machine, where the host runs too.
 * @param filesDir created for its owner alone when the first file arrives
 */
export function savedFiles(
  client: Changgu,
  settings: UntrustedOptions & { readonly filesDir: string },
): SavedFiles {
  const { list } = remoteFiles(settings);
  return {
    list,
    async save(result, action, signal) {
      const files = list(result, action);
      if (result.artifacts.every(({ expired }) => expired)) return files;
      const folder = join(settings.filesDir, safeName(result.jobId));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return Promise.all(
        files.map(async (file, index) => {
          const artifact = result.artifacts[index];
          if (artifact === undefined || artifact.expired) return file;
          const to = join(folder, `${index === 0 ? '' : `${index + 1}-`}${file.name}`);
          await client.artifacts.download(artifact, { to, signal });
          return { ...file, saved_as: pathToFileURL(to).href };
        }),
      );
    },
  };
}

/** For hosts on other machines: they read files as resources, and nothing is saved here. */
export function remoteFiles(options: UntrustedOptions): SavedFiles {
  const list: SavedFiles['list'] = ({ artifacts }, action) =>
    artifacts.map((artifact, index) => describe(artifact, index + 1, action, options));
  return { list, save: async (result, action) => list(result, action) };
}

function describe(
  { name, contentType, sizeBytes, jobId, expired }: Artifact,
  number: number,
  action: CatalogueAction | undefined,
  options: UntrustedOptions,
): SavedFile {
  const shown = shownFileName(name, number, action, (text) => shownText(text, options));
  return {
    ...shown,
    name: safeName(shown.name),
    ...(expired ? {} : { uri: jobFileUri(jobId, number) }),
    mime_type: shownMediaType(contentType),
    size_bytes: sizeBytes,
  };
}

/** What commands a terminal, turns the direction of writing, or is refused by a file system. */
const REFUSED = new RegExp(String.raw`[\p{Cc}${DIRECTION_MARKS}<>:"/\\|?*]`, 'gu');

/** A name that stays in its folder on every system, whatever an institution called the file. */
export function safeName(name: string): string {
  const plain = name.normalize('NFC').replace(REFUSED, '_').replace(/^\.+/, '_').trim();
  return endOf(plain, MAX_NAME_BYTES) || 'file';
}

/** File systems take 255 bytes; the rest is for a number in front and for what a download adds while it is written. */
const MAX_NAME_BYTES = 200;

/** The last characters within so many bytes, where the kind of the file is told. */
function endOf(name: string, maxBytes: number): string {
  const characters = Array.from(new Intl.Segmenter('ko').segment(name), ({ segment }) => segment);
  let bytes = Buffer.byteLength(name);
  const start = characters.findIndex((character) => {
    if (bytes <= maxBytes) return true;
    bytes -= Buffer.byteLength(character);
    return false;
  });
  return start === -1 ? '' : characters.slice(start).join('');
}
