import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { may } from '../api/may.ts';
import { session } from '../api/session.ts';
import { Link } from '../components/button.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Loading } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { common } from './common-texts.ts';
import { loadPart } from './load-part.ts';
import { place } from './router.ts';
import { type ScreenEntry, type ScreenProps, screenFor } from './screens.ts';
import { shellTexts } from './shell-texts.ts';

export function isOffered({ needs, orNeeds = needs, for: kind }: ScreenEntry): boolean {
  return (may(needs) || may(orNeeds)) && (kind === undefined || kind === session.value?.kind);
}

/** The screen for the address, or the reason why there is none. */
export function CurrentScreen() {
  const found = screenFor(place.value.path);
  if (found === null) {
    return (
      <Page title={shellTexts().notFound}>
        <Link to="">{shellTexts().goHome}</Link>
      </Page>
    );
  }
  if (mustAddFactor() && found.entry.path !== 'account') {
    return (
      <Page title={shellTexts().factorFirst}>
        <Link to="account">{shellTexts().addFactor}</Link>
      </Page>
    );
  }
  if (!isOffered(found.entry)) {
    const isOperator = session.value?.kind === 'operator';
    return <Page title={isOperator ? common().forMembers : common().forbidden}>{null}</Page>;
  }
  return <LoadedScreen key={place.value.path} entry={found.entry} id={found.id} />;
}

/** The organization requires one, and until then the service refuses everything else. */
function mustAddFactor(): boolean {
  const who = session.value;
  return who?.kind === 'person' && who.must_add_factor;
}

const loaded = new Map<ScreenEntry, ComponentType<ScreenProps>>();

function LoadedScreen({ entry, id }: { readonly entry: ScreenEntry; readonly id: string }) {
  const turn = useSignal(0);
  const failure = useSignal<Error | null>(null);
  useEffect(() => {
    if (loaded.has(entry)) return;
    failure.value = null;
    loadPart(entry.load).then(
      (Screen) => {
        loaded.set(entry, Screen);
        turn.value += 1;
      },
      (error: Error) => {
        failure.value = error;
      },
    );
  }, [entry]);
  const Screen = turn.value >= 0 ? loaded.get(entry) : undefined;
  if (Screen !== undefined) return <Screen id={id} />;
  if (failure.value === null) return <Loading />;
  return <ErrorNotice error={failure.value} onRetry={() => window.location.reload()} />;
}
