import type { Artifact } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { bytes, dateTime } from '../../app/format.ts';
import { visibleText } from '../../app/visible-text.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { canPreview, FilePreview } from './file-preview.tsx';
import { jobTexts } from './job-texts.ts';

interface Props {
  readonly jobId: string;
  readonly files: readonly Artifact[];
  readonly onDeleted: () => unknown;
}

export function JobFiles({ jobId, files, onDeleted }: Props) {
  const words = jobTexts();
  const isAsking = useSignal(false);
  const canDelete = files.length > 0 && may('deleteJobArtifacts');
  return (
    <Section
      title={words.files}
      actions={
        canDelete ? (
          <Button onClick={() => (isAsking.value = true)}>{words.deleteFiles}</Button>
        ) : null
      }
    >
      {files.length === 0 ? <p class="faint">{words.noFiles}</p> : <FileTable files={files} />}
      {isAsking.value ? (
        <Confirm
          title={words.deleteTitle}
          confirmLabel={words.deleteFiles}
          consequences={<p>{words.deleteWhat(files.length)}</p>}
          onClose={() => (isAsking.value = false)}
          onConfirm={async () => {
            await call('deleteJobArtifacts', { params: { job_id: jobId } });
            await onDeleted();
          }}
        />
      ) : null}
    </Section>
  );
}

function FileTable({ files }: { readonly files: readonly Artifact[] }) {
  const words = jobTexts();
  const shown = useSignal<Artifact | null>(null);
  return (
    <>
      <Table
        caption={words.files}
        rows={files}
        keyOf={({ artifact_id: id, name }) => id ?? name}
        columns={[
          { title: words.fileName, isHeading: true, cell: ({ name }) => visibleText(name) },
          {
            title: words.size,
            numeric: true,
            cell: ({ size_bytes: size }) => (size === null ? '–' : bytes(size)),
          },
          { title: words.keptUntil, cell: ({ expires_at: at }) => dateTime(at) },
          {
            title: words.download,
            cell: ({ expired, download_url: url, name }) =>
              expired || url === null || !isWebAddress(url) ? (
                <Badge tone="idle">{words.expired}</Badge>
              ) : (
                <a href={url} download={name} rel="noreferrer">
                  {words.download}
                </a>
              ),
          },
          {
            title: words.preview,
            isTitleHidden: true,
            cell: (file) =>
              canPreview(file) ? (
                <Button
                  look="quiet"
                  label={words.previewOf(visibleText(file.name))}
                  onClick={() => (shown.value = file)}
                >
                  {words.preview}
                </Button>
              ) : null,
          },
        ]}
      />
      {shown.value === null ? null : (
        <FilePreview file={shown.value} onClose={() => (shown.value = null)} />
      )}
    </>
  );
}

/** Never an address that would run a script. */
function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '');
}
