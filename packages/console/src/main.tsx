import { render } from 'preact';
import { App } from './app/app.tsx';
import { applyPreferences } from './app/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  applyPreferences();
  render(<App />, root);
}
