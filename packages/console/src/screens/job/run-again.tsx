import type { JobReadResponse } from '@changgu/contract';
import { Section } from '../../components/page.tsx';
import { CodeSamples } from '../shared/code-samples.tsx';
import { jobTexts } from './job-texts.ts';

export function RunAgain({ job }: { readonly job: JobReadResponse }) {
  const words = jobTexts();
  return (
    <Section title={words.runAgain}>
      <p class="faint">{words.runAgainAbout}</p>
      <CodeSamples
        action={job.action}
        provider={job.provider}
        envScope={job.env_scope}
        params={{}}
      />
    </Section>
  );
}
