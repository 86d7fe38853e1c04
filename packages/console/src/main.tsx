import { render } from 'preact';
import { watchSession } from './api/sign-in.ts';
import { App } from './app/app.tsx';
import { keepEnvironmentInAddress } from './app/environment-in-address.ts';
import { keepFocus } from './app/keep-focus.ts';
import { applyPreferences } from './app/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  applyPreferences();
  keepFocus();
  keepEnvironmentInAddress();
  watchSession();
  render(<App />, root);
}
