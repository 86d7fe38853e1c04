import { defineConnectors } from '../connector.ts';
import { logIn } from './login.ts';
import { sessionStatus } from './session-status.ts';

export const employment = defineConnectors('employment', {
  'employment.auth.npki_session.login': logIn,
  'employment.auth.session.status': sessionStatus,
});
