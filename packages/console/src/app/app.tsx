import { useEffect } from 'preact/hooks';
import { session } from '../api/session.ts';
import { restoreSession } from '../api/sign-in.ts';
import { Loading } from '../components/loaded.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { CurrentScreen } from './current-screen.tsx';
import { Shell } from './shell.tsx';

export function App() {
  useEffect(() => {
    void restoreSession();
  }, []);
  const { value } = session;
  if (value === undefined) return <Loading />;
  if (value === null) return <SignIn />;
  return (
    <Shell session={value}>
      <CurrentScreen />
    </Shell>
  );
}
