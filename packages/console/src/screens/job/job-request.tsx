import type { JobReadResponse } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { environment } from '../../app/preferences.ts';
import { Link } from '../../components/button.tsx';
import { CallAsCode } from '../../components/call-as-code.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Section } from '../../components/page.tsx';
import { jobTexts } from './job-texts.ts';
import { masked } from './masked.ts';
import { plainText } from './result-rows.ts';

/** What the job was submitted with, and the same as a command and as code. */
export function JobRequest({ job }: { readonly job: JobReadResponse }) {
  const words = jobTexts();
  const { job_id, action, provider, env_scope: envScope } = job;
  const request = useResource(`${environment.value} ${job_id}`, (signal) =>
    call('readJobRequest', { params: { job_id }, signal }),
  );
  return (
    <Loaded of={request}>
      {({ params, account_link_id: link, idempotency_key: key }) => (
        <>
          <Section title={words.params}>
            <Facts
              of={[
                ...Object.entries(params).map(
                  ([name, value]) =>
                    [<code key={name}>{name}</code>, plainText(name, value)] as const,
                ),
                [words.link, link === null ? '–' : <Link to={`links/${link}`}>{link}</Link>],
                ['Idempotency-Key', <code key="key">{key}</code>],
              ]}
            />
          </Section>
          <Section title={words.runAgain}>
            <p class="faint">{words.runAgainAbout}</p>
            <FillIn params={params} />
            <CallAsCode
              action={action}
              provider={provider}
              envScope={envScope}
              params={maskedParams(params)}
              link={link}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}

interface ParamsProps {
  readonly params: Readonly<Record<string, unknown>>;
}

/** Which params the reader has to fill in, where there are any. */
function FillIn({ params }: ParamsProps) {
  const shown = maskedParams(params);
  const names = Object.keys(params).filter(
    (name) => JSON.stringify(shown[name]) !== JSON.stringify(params[name]),
  );
  return names.length === 0 ? null : <p class="notice">{jobTexts().fillIn(names.join(', '))}</p>;
}

/** Masked as on the rest of the page: the reader fills in personal and account numbers. */
function maskedParams(params: ParamsProps['params']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, masked(name, value)] as const),
  );
}
