import { defineConnectors } from '../connector.ts';
import { FAQ, FORMS, NOTICES } from './boards.ts';
import {
  faqDetail,
  formAttachments,
  formDetail,
  noticeAttachments,
  noticeDetail,
} from './detail.ts';
import { downloadFile } from './file-download.ts';
import { faqList, formList, noticeList } from './list.ts';
import { listInit } from './list-init.ts';
import { logIn } from './login.ts';

export const siEdi = defineConnectors('si_edi', {
  'si_edi.auth.session.login': logIn,
  'si_edi.b1.resources.faqs.list_init': listInit(FAQ),
  'si_edi.b1.resources.faqs.list': faqList,
  'si_edi.b1.resources.faqs.detail': faqDetail,
  'si_edi.b1.resources.forms.list_init': listInit(FORMS),
  'si_edi.b1.resources.forms.list': formList,
  'si_edi.b1.resources.forms.detail': formDetail,
  'si_edi.b1.resources.forms.attachments': formAttachments,
  'si_edi.b1.resources.notices.institutions.list_init': listInit(NOTICES),
  'si_edi.b1.resources.notices.institutions.list': noticeList,
  'si_edi.b1.resources.notices.institutions.detail': noticeDetail,
  'si_edi.b1.resources.notices.institutions.attachments': noticeAttachments,
  'si_edi.b1.resources.files.download': downloadFile,
});
