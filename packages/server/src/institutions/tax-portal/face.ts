import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';

export const taxPortalFace: PortalFace = {
  provider: 'tax_portal',
  loginForm: '#certLoginForm, #idLoginForm',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) => messageIn(page, '#content > #alertMessage', '#content > .err_cd'),
  // T1007, "already processed or invalid", can follow an application that took effect.
  refusals: [{ code: /^T100[1-6]$/ }],
};
