import type { InstitutionRecord } from '@changgu/contract';
import { useInstitutions } from '../../api/institution-list.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { homeTexts } from './home-texts.ts';

const TONES: Readonly<Record<InstitutionRecord['state'], Tone>> = {
  HEALTHY: 'good',
  DEGRADED: 'warn',
  DOWN: 'bad',
};

export function Health() {
  const institutions = useInstitutions({ everyMs: 30_000 });
  return (
    <Section title={homeTexts().health}>
      <Loaded of={institutions}>
        {({ items }) => (
          <ul class="health">
            {items.map((institution) => (
              <li key={institution.provider}>
                <span>{institution.name}</span>
                <State institution={institution} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function State({ institution }: { readonly institution: InstitutionRecord }) {
  const words = homeTexts();
  const { configured, maintenance, state } = institution;
  if (!configured) return <Badge tone="idle">{words.notConfigured}</Badge>;
  if (maintenance) return <Badge tone="warn">{words.maintenance}</Badge>;
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
