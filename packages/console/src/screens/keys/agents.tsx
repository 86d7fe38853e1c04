import { useSignal } from '@preact/signals';
import { serviceUrl } from '../../app/router.ts';
import { Code } from '../../components/code.tsx';
import { SelectField } from '../../components/field.tsx';
import { Section } from '../../components/page.tsx';
import { AGENT_HOSTS, commandsFor } from './agent-hosts.ts';
import { grantsTexts } from './grants-texts.ts';

/** What to paste where, so that an agent can use the service. */
export function Agents() {
  const words = grantsTexts();
  const name = useSignal(AGENT_HOSTS[0]?.name ?? '');
  const host = AGENT_HOSTS.find((each) => each.name === name.value) ?? AGENT_HOSTS[0];
  if (host === undefined) return null;
  return (
    <Section title={words.agents}>
      <p class="faint">{words.agentsAbout}</p>
      <div class="form">
        <SelectField
          label={words.host}
          value={host.name}
          options={AGENT_HOSTS.map((each) => [each.name, each.name] as const)}
          onChange={(value) => (name.value = value)}
        />
      </div>
      <Code
        label={words.commands}
        text={commandsFor(host, serviceUrl('').href.replace(/\/$/, ''))}
      />
      <p class="faint">
        {words.orSettings} <code>{host.place}</code>
      </p>
      <Code label={host.place} text={host.settings} />
    </Section>
  );
}
