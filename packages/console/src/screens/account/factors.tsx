import type { FactorListResponse, FactorRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { canUsePasskeys, passkeyAddress } from '../../api/passkeys.ts';
import { recheckSession } from '../../api/sign-in.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { date } from '../../app/format.ts';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { AddApp } from './add-app.tsx';
import { AddPasskey, RemoveFactor, RenameFactor, RenewCodes } from './factor-acts.tsx';
import { factorTexts } from './factor-texts.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type Doing =
  | { readonly what: 'app' | 'passkey' | 'renew' }
  | { readonly what: 'rename' | 'remove'; readonly factor: FactorRecord }
  | { readonly what: 'codes'; readonly codes: readonly string[] };

export function Factors() {
  const words = factorTexts();
  const doing = useSignal<Doing | null>(null);
  const factors = useResource('', (signal) => call('listFactors', { signal }));
  const close = () => {
    doing.value = null;
  };
  const added = (codes: readonly string[] | null) => {
    doing.value = codes === null ? null : { what: 'codes', codes };
    factors.reload();
    // The organization may have required it.
    void recheckSession();
  };
  return (
    <Section title={words.title}>
      <p class="faint">{words.about}</p>
      <Loaded of={factors}>
        {(list) => (
          <>
            <FactorList of={list} onDo={(what) => (doing.value = what)} />
            {doing.value === null ? null : (
              <Act
                of={doing.value}
                factors={list}
                onClose={close}
                onAdded={added}
                onDone={factors.reload}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface ListProps {
  readonly of: FactorListResponse;
  readonly onDo: (doing: Doing) => void;
}

function FactorList({ of: { items, required, recovery_codes_left: left }, onDo }: ListProps) {
  const words = factorTexts();
  const hasApp = items.some(({ kind }) => kind === 'totp');
  return (
    <>
      {required && items.length === 0 ? <p class="notice warn">{words.required}</p> : null}
      {items.length === 0 ? <p>{words.none}</p> : <FactorTable factors={items} onDo={onDo} />}
      <div class="actions">
        {canUsePasskeys ? (
          <Button onClick={() => onDo({ what: 'passkey' })}>{words.addPasskey}</Button>
        ) : null}
        {hasApp ? null : <Button onClick={() => onDo({ what: 'app' })}>{words.addApp}</Button>}
        {items.length === 0 ? null : (
          <>
            <Button onClick={() => onDo({ what: 'renew' })}>{words.renew}</Button>
            <span class={left < 3 ? 'warn' : 'faint'}>{words.codesLeft(left)}</span>
          </>
        )}
      </div>
      {canUsePasskeys ? null : <NoPasskeys />}
    </>
  );
}

function NoPasskeys() {
  const words = factorTexts();
  const address = passkeyAddress && `${passkeyAddress}${window.location.pathname}`;
  return (
    <p class="faint">
      {words.onlyByName}{' '}
      {address === null ? null : (
        <>
          {words.openByName} <a href={address}>{address}</a>
        </>
      )}
    </p>
  );
}

function factorName({ label, kind }: FactorRecord): string {
  return label ?? factorTexts().kinds[kind];
}

interface TableProps {
  readonly factors: readonly FactorRecord[];
  readonly onDo: (doing: Doing) => void;
}

function FactorTable({ factors, onDo }: TableProps) {
  const words = factorTexts();
  return (
    <Table
      caption={words.title}
      rows={factors}
      keyOf={({ factor_id: id }) => id}
      columns={[
        {
          title: words.label,
          isHeading: true,
          cell: factorName,
        },
        { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
        { title: words.added, cell: ({ created_at: at }) => date(at) },
        { title: words.lastUsed, cell: ({ last_used_on: day }) => date(day) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (factor) => (
            <span class="row">
              <Button
                look="quiet"
                label={`${words.rename}: ${factorName(factor)}`}
                onClick={() => onDo({ what: 'rename', factor })}
              >
                {words.rename}
              </Button>
              <Button
                look="quiet"
                label={`${words.remove}: ${factorName(factor)}`}
                onClick={() => onDo({ what: 'remove', factor })}
              >
                {words.remove}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}

interface ActProps {
  readonly of: Doing;
  readonly factors: FactorListResponse;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[] | null) => void;
  readonly onDone: () => void;
}

function Act({ of: doing, factors, onClose, onAdded, onDone }: ActProps) {
  switch (doing.what) {
    case 'app':
      return <AddApp factors={factors} onClose={onClose} onAdded={onAdded} />;
    case 'passkey':
      return <AddPasskey factors={factors} onClose={onClose} onAdded={onAdded} />;
    case 'renew':
      return <RenewCodes factors={factors} onClose={onClose} onRenewed={onAdded} />;
    case 'rename':
      return <RenameFactor of={doing.factor} onClose={onClose} onDone={onDone} />;
    case 'remove':
      return <RemoveFactor of={doing.factor} factors={factors} onClose={onClose} />;
    case 'codes':
      return <RecoveryCodes codes={doing.codes} onClose={onClose} />;
  }
}
