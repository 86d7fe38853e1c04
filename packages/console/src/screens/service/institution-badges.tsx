import type { InstitutionRecord, ServiceStateResponse } from '@changgu/contract';
import { clock } from '../../app/format.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { serviceTexts } from './service-texts.ts';

type Breaker = ServiceStateResponse['institutions'][number]['breaker'];

const HEALTH_TONES: Readonly<Record<InstitutionRecord['state'], Tone>> = {
  HEALTHY: 'good',
  DEGRADED: 'warn',
  DOWN: 'bad',
};
const BREAKER_TONES: Readonly<Record<Breaker['state'], Tone>> = {
  CLOSED: 'idle',
  OPEN: 'bad',
  TRIAL: 'warn',
};

export function HealthBadge({
  of: { state, maintenance },
}: {
  readonly of: Pick<InstitutionRecord, 'state' | 'maintenance'>;
}) {
  const words = serviceTexts();
  if (maintenance) return <Badge tone="warn">{words.maintenance}</Badge>;
  return <Badge tone={HEALTH_TONES[state]}>{words.states[state]}</Badge>;
}

/** With the reason, and when jobs will be let through again. */
export function BreakerBadge({ of: breaker }: { readonly of: Breaker }) {
  const words = serviceTexts();
  const { state, failures, retry_at: retryAt, last_code: code } = breaker;
  return (
    <div class="row">
      <Badge tone={BREAKER_TONES[state]}>{words.breakers[state]}</Badge>
      {failures === 0 ? null : <span class="faint">{words.failures(failures)}</span>}
      {code === null ? null : <code>{code}</code>}
      {retryAt === null ? null : <span class="faint">{words.retries(clock(retryAt))}</span>}
    </div>
  );
}
