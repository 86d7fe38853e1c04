import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';

/** The eGov framework's message page: reads only the message element, never the page's data. */
export const employmentFace: PortalFace = {
  provider: 'employment',
  loginForm: '#certLoginForm',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > .error_wrap > .txt', '#content > .error_wrap > .code'),
  // The caller's member number or type is wrong, not the certificate.
  meanings: [{ code: /^E310[13-6]$/, means: 'rejected_input' }],
};
