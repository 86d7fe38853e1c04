import type { Artifact } from '@changgu/contract';
import { useEffect } from 'preact/hooks';
import { useResource } from '../../api/use-resource.ts';
import { serviceUrl } from '../../app/router.ts';
import { visibleText } from '../../app/visible-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { firstRows, PREVIEW_ROWS } from './first-rows.ts';
import { jobTexts } from './job-texts.ts';
import { maskedSheet } from './masked-sheet.ts';

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PDF = 'application/pdf';
const MAX_BYTES = 20_000_000;

/** File types that the page can show; others can only be saved. */
export function canPreview({
  content_type: type,
  expired,
  download_url,
  size_bytes: size,
}: Artifact) {
  const isKnown = type === PDF || type === SPREADSHEET;
  return isKnown && !expired && download_url !== null && (size ?? 0) <= MAX_BYTES;
}

type Shown = { readonly pdf: string } | { readonly rows: readonly (readonly string[])[] };

export function FilePreview({
  file,
  onClose,
}: {
  readonly file: Artifact;
  readonly onClose: () => void;
}) {
  const words = jobTexts();
  const shown = useResource(file.artifact_id ?? file.name, (signal) => read(file, signal));
  const { data } = shown;
  useEffect(() => {
    if (data === undefined || !('pdf' in data)) return undefined;
    return () => URL.revokeObjectURL(data.pdf);
  }, [data]);
  return (
    <Dialog title={visibleText(file.name)} onClose={onClose} wide>
      <Loaded of={shown}>
        {(content) =>
          'pdf' in content ? (
            <iframe class="preview" src={content.pdf} title={visibleText(file.name)} />
          ) : (
            <Sheet rows={content.rows} caption={words.firstSheet(PREVIEW_ROWS)} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface SheetProps {
  readonly rows: readonly (readonly string[])[];
  readonly caption: string;
}

function Sheet({ rows, caption }: SheetProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it is scrolled by the keyboard
    <section class="sheet" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="faint">{caption}</caption>
        <tbody>
          {maskedSheet(rows).map((cells, row) => (
            <tr key={row}>
              <th scope="row">{row + 1}</th>
              {cells.map((text, column) => (
                <td key={column}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** From our own origin, whatever public address the link has, because the signature is in the query. */
async function read(
  { artifact_id: id, download_url: url, content_type: type }: Artifact,
  signal: AbortSignal,
): Promise<Shown> {
  const own = serviceUrl(`/v1/artifacts/${encodeURIComponent(id ?? '')}/download`);
  own.search = new URL(url ?? '', own).search;
  const answer = await fetch(own, { signal, credentials: 'same-origin', redirect: 'error' });
  if (!answer.ok) throw new Error(jobTexts().noPreview);
  const bytes = await answer.arrayBuffer();
  if (type === SPREADSHEET) return { rows: await firstRows(bytes) };
  // Only a file that begins like a PDF is passed to the viewer, and only as a PDF.
  const head = new TextDecoder('latin1').decode(bytes.slice(0, 5));
  if (head !== '%PDF-') throw new Error(jobTexts().noPreview);
  return { pdf: URL.createObjectURL(new Blob([bytes], { type: PDF })) };
}
