import { defineInstitution } from '../connector.ts';
import { logIn } from './login.ts';
import { sessionStatus } from './session-status.ts';

export const employment = defineInstitution({
  provider: 'employment',
  connectors: {
    'employment.auth.npki_session.login': logIn,
    'employment.auth.session.status': sessionStatus,
  },
});
