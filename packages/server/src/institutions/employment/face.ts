import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';

/** Message page of the eGov framework; the message of a page's own element only, never of its data. */
export const employmentFace: PortalFace = {
  provider: 'employment',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > .error_wrap > .txt', '#content > .error_wrap > .code'),
  // Numbers and kinds of member that the caller sent, not the certificate, are wrong.
  meanings: [{ code: /^E310[13-6]$/, means: 'rejected_input' }],
};
