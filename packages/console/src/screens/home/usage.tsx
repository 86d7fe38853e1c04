import type { Quota, Storage } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { dateTime } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Meter } from '../../components/meter.tsx';
import { Section } from '../../components/page.tsx';
import { homeTexts } from './home-texts.ts';

export function Usage() {
  const membership = useResource(environment.value, (signal) => call('readMembership', { signal }));
  const words = homeTexts();
  return (
    <Section title={words.quota}>
      <Loaded of={membership}>
        {({ quota_after: day, quota_month_after: month, storage }) => (
          <div class="stack">
            {day === undefined && month === undefined ? <p class="faint">{words.noLimit}</p> : null}
            <QuotaMeter label={words.day} quota={day} />
            <QuotaMeter label={words.month} quota={month} />
            <StorageMeter storage={storage} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

interface Props {
  readonly label: string;
  readonly quota: Quota | undefined;
}

function QuotaMeter({ label, quota }: Props) {
  if (quota === undefined) return null;
  return (
    <div>
      <Meter label={label} used={quota.used} limit={quota.limit} />
      <small class="hint">{homeTexts().resets(dateTime(quota.reset_at))}</small>
    </div>
  );
}

function StorageMeter({ storage }: { readonly storage: Storage | undefined }) {
  if (storage === undefined) return null;
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  return (
    <Meter
      label={homeTexts().storage}
      used={mebibytes(storage.used_bytes)}
      limit={mebibytes(storage.limit_bytes)}
    />
  );
}
