import { render } from 'preact';
import { watchSession } from './api/sign-in.ts';
import { App } from './app/app.tsx';
import { keepFocus } from './app/keep-focus.ts';
import { applyPreferences } from './app/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  applyPreferences();
  keepFocus();
  watchSession();
  render(<App />, root);
}
