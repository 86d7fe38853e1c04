import { messageIn, type PortalFace } from '../portal/portal.ts';

export const taxPortalFace: PortalFace = {
  provider: 'tax_portal',
  message: (page) => messageIn(page, '#content > #alertMessage', '#content > .err_cd'),
};
