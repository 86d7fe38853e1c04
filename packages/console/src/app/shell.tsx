import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { ActButton } from '../components/act-button.tsx';
import { Button, Link } from '../components/button.tsx';
import { ENVIRONMENT_NAMES } from './common-texts.ts';
import { isOffered } from './current-screen.tsx';
import { LanguageAndTheme } from './language-and-theme.tsx';
import { environment } from './preferences.ts';
import { addressOf, place } from './router.ts';
import { SCREENS } from './screens.ts';
import { shellTexts } from './shell-texts.ts';

interface Props {
  readonly session: Session;
  readonly children: ComponentChildren;
}

/** The frame around every screen. */
export function Shell({ session, children }: Props) {
  const words = shellTexts();
  const isOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const isFirst = useRef(true);
  // Screen readers start reading the new screen from the top.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    isOpen.value = false;
  }, [path]);
  return (
    <>
      <a
        class="skip"
        // Alone, "#main" would be an address in the console's folder, so another page.
        href={`${addressOf(path)}#main`}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {words.skip}
      </a>
      <header class="top">
        <Button
          look="quiet"
          label={words.menu}
          controls={{ id: 'menu', isOpen: isOpen.value }}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          ☰
        </Button>
        <Link to="" class="brand">
          창구 <span>Changgu</span>
        </Link>
        {session.kind === 'person' ? <EnvironmentSwitch /> : null}
        <div class="who">
          <Who session={session} />
        </div>
      </header>
      <div class={isOpen.value ? 'frame open' : 'frame'}>
        <nav id="menu" aria-label={words.menu}>
          <Navigation />
          <div class="foot">
            <LanguageAndTheme />
            <ActButton look="quiet" act={signOut}>
              {words.signOut}
            </ActButton>
          </div>
        </nav>
        <main id="main" ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

function Navigation() {
  const names: Readonly<Record<string, string>> = shellTexts().screens;
  const [current] = place.value.path.split('/');
  const offered = SCREENS.filter((screen) => !screen.path.includes(':') && isOffered(screen));
  return (
    <ul>
      {offered.map(({ path }) => (
        <li key={path}>
          <Link to={path} current={path === current}>
            {names[path]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function EnvironmentSwitch() {
  const names = ENVIRONMENT_NAMES();
  return (
    <select
      class={`environment ${environment.value}`}
      aria-label={shellTexts().environment}
      value={environment.value}
      onChange={({ currentTarget }) => {
        // The options are the environments.
        environment.value = currentTarget.value as EnvScope;
      }}
    >
      {ENV_SCOPES.map((scope) => (
        <option key={scope} value={scope} selected={scope === environment.value}>
          {names[scope]}
        </option>
      ))}
    </select>
  );
}

function Who({ session }: { readonly session: Session }) {
  const words = shellTexts();
  if (session.kind === 'operator') return <strong>{words.operator}</strong>;
  const { organization, user } = session;
  return (
    <>
      <strong>{organization.name}</strong>
      <span>
        {user.name} · {words.roles[session.role]}
      </span>
    </>
  );
}
