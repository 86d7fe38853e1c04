import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { isInterrupted, type Session, session } from '../api/session.ts';
import { restoreSession } from '../api/sign-in.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Loading } from '../components/loaded.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { SignInAgain } from '../screens/sign-in/sign-in-again.tsx';
import { CurrentScreen } from './current-screen.tsx';
import { loadOneTimeScreen, ONE_TIME_PAGES } from './one-time-pages.ts';
import { place } from './router.ts';
import { Shell } from './shell.tsx';

export function App() {
  const { path } = place.value;
  return ONE_TIME_PAGES.includes(path) ? <OneTime key={path} path={path} /> : <WithSession />;
}

function WithSession() {
  const failure = useSignal<Error | null>(null);
  const restore = () => {
    failure.value = null;
    restoreSession().catch((error: Error) => {
      failure.value = error;
    });
  };
  useEffect(() => {
    if (session.value === undefined) restore();
  }, []);
  const { value } = session;
  if (value === undefined) {
    if (failure.value === null) return <Loading />;
    return <Failure of={failure.value} onRetry={restore} />;
  }
  if (value === null) return <SignIn />;
  return (
    <>
      <Shell key={whose(value)} session={value}>
        <CurrentScreen />
      </Shell>
      {isInterrupted.value ? <SignInAgain /> : null}
    </>
  );
}

/** Another operator, or a person after an operator, gets a frame of their own: nothing typed stays. */
function whose(value: Session): string {
  return value.kind === 'person' ? 'person' : `token of ${value.holder}`;
}

function OneTime({ path }: { readonly path: string }) {
  const loaded = useSignal<{ Screen: ComponentType<{ readonly path: string }> } | null>(null);
  const failure = useSignal<Error | null>(null);
  useEffect(() => {
    loadOneTimeScreen().then(
      (Screen) => {
        loaded.value = { Screen };
      },
      (error: Error) => {
        failure.value = error;
      },
    );
  }, []);
  const { Screen } = loaded.value ?? {};
  if (Screen !== undefined) return <Screen path={path} />;
  if (failure.value === null) return <Loading />;
  return <Failure of={failure.value} onRetry={() => window.location.reload()} />;
}

/** In the place of the whole page. */
function Failure({ of: error, onRetry }: { readonly of: Error; readonly onRetry: () => void }) {
  return (
    <main class="sign-in">
      <ErrorNotice error={error} onRetry={onRetry} />
    </main>
  );
}
