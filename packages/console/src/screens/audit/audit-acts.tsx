import { useSignal } from '@preact/signals';
import { count } from '../../app/format.ts';
import { save } from '../../app/save-file.ts';
import { ActButton } from '../../components/act-button.tsx';
import { type AuditFilter, readAllAudit } from './audit-records.ts';
import { auditTexts } from './audit-texts.ts';
import { type ChainCheck, checkChain } from './check-chain.ts';

interface Props {
  readonly filter: AuditFilter;
  /** Chains belong to organizations, so an operator chooses one first. */
  readonly canCheck: boolean;
}

/** Saves the filtered records, and verifies that nothing in the history was changed. */
export function AuditActs({ filter, canCheck }: Props) {
  const words = auditTexts();
  const check = useSignal<ChainCheck | null>(null);
  const { act: _, ...ofOrganization } = filter;
  return (
    <div class="stack">
      <div class="actions">
        <ActButton
          act={async () => {
            const records = await readAllAudit(filter);
            const lines = records.map((record) => `${JSON.stringify(record)}\n`);
            save('audit.jsonl', new Blob(lines, { type: 'application/x-ndjson' }));
          }}
        >
          {words.exportAudit}
        </ActButton>
        {canCheck ? (
          <ActButton
            act={async () => {
              check.value = await checkChain(await readAllAudit(ofOrganization));
            }}
          >
            {words.checkAudit}
          </ActButton>
        ) : (
          <span class="faint">{words.chooseToCheck}</span>
        )}
      </div>
      {check.value === null ? null : <Outcome of={check.value} />}
    </div>
  );
}

function Outcome({ of: { sealed, unsealed, head, broken } }: { readonly of: ChainCheck }) {
  const words = auditTexts();
  if (broken !== null) {
    return (
      <div class="notice error" role="alert">
        <strong>{words.broken(broken.number)}</strong>
        <p>{broken.auditId === null ? words.removed : words.changed(broken.auditId)}</p>
      </div>
    );
  }
  return (
    <div class="notice good" role="status">
      <strong>{words.whole(count(sealed), count(unsealed))}</strong>
      {head === null ? null : (
        <p>
          {words.head} <code>{`${head.number} ${head.hash}`}</code>
        </p>
      )}
    </div>
  );
}
