import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';

/** Message page of the eGov framework; the message of a page's own element only, never of its data. */
export const siEdiFace: PortalFace = {
  provider: 'si_edi',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > .error_wrap > .txt', '#content > .error_wrap > .code'),
};
