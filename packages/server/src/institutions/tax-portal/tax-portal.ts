import { defineConnectors } from '../connector.ts';
import { cardSales } from './card-sales.ts';
import { applyForCertificate } from './certificate-application.ts';
import { printCertificate } from './certificate-print.ts';
import { certificatesList } from './certificates-list.ts';
import { invoiceSummary } from './invoice-summary.ts';
import { logIn } from './login.ts';
import { paymentStatements } from './payment-statements.ts';
import { submitHistory } from './submit-history.ts';
import { userInfo } from './user-info.ts';

export const taxPortal = defineConnectors('tax_portal', {
  'tax_portal.s1.login': logIn,
  'tax_portal.s1.user_info': userInfo,
  'tax_portal.c1.certificates_list': certificatesList,
  'tax_portal.c1.certificate_print': printCertificate,
  'tax_portal.c1.national_tax_payment': applyForCertificate,
  'tax_portal.c1.tax_payment_record': applyForCertificate,
  'tax_portal.c1.vat_standard': applyForCertificate,
  'tax_portal.c1.business_registration': applyForCertificate,
  'tax_portal.c1.business_suspension': applyForCertificate,
  'tax_portal.c1.financial_statement': applyForCertificate,
  'tax_portal.c1.business_closure': applyForCertificate,
  'tax_portal.c1.business_registration_reissue': applyForCertificate,
  'tax_portal.c1.income_statement': applyForCertificate,
  'tax_portal.e1.invoice_summary': invoiceSummary,
  'tax_portal.t1.credit_card_sales_data': cardSales,
  'tax_portal.t1.payment_statement': paymentStatements,
  'tax_portal.t1.payment_statement_submit_history': submitHistory,
});
