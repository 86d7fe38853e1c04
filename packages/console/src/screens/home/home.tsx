import { session } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { Attention } from './attention.tsx';
import { Health } from './health.tsx';
import { homeTexts } from './home-texts.ts';
import { TodaysJobs } from './todays-jobs.tsx';
import { Usage } from './usage.tsx';

/** What is running, what failed, and what is waiting for this person. */
export function Home() {
  const isPerson = session.value?.kind === 'person';
  return (
    <Page title={homeTexts().title}>
      <Attention />
      {isPerson ? (
        <>
          <div class="columns">
            <TodaysJobs />
            <Usage />
          </div>
          <Health />
        </>
      ) : null}
    </Page>
  );
}
