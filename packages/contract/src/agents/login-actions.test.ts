import { expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue.ts';
import { loginActions } from './login-actions.ts';

it('are those of the catalog, also the one that no action needs', async () => {
  const { institutions } = await loadCatalogue();
  expect([...loginActions(institutions)].sort()).toEqual([
    'employment.auth.npki_session.login',
    'si_edi.auth.session.login',
    'tax_portal.s1.login',
  ]);
});

it('are named by the actions that need their session, and no name passes for one', async () => {
  const { actions, institutions } = await loadCatalogue();
  const [institution] = institutions;
  const action = actions.get('tax_portal.s1.user_info');
  if (action === undefined || institution === undefined) throw new Error('the catalog is empty');
  const own = [
    { ...action, id: 'acme.members', loginAction: 'acme.sign_in' },
    { ...action, id: 'acme.sign_in', loginAction: null },
    { ...action, id: 'acme.check_weblogin', loginAction: null },
  ];
  expect([...loginActions([{ ...institution, actions: own }])]).toEqual(['acme.sign_in']);
});
