import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';

/** The eGov framework's message page: reads only the message element, never the page's data. */
export const siEdiFace: PortalFace = {
  provider: 'si_edi',
  loginForm: '#certLoginForm',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > .error_wrap > .txt', '#content > .error_wrap > .code'),
};
