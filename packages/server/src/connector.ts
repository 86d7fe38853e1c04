/**
 * The entry point for institutions of your own: docs/writing-a-connector.md.
 */

// For the real web site of a bank that the catalog knows: its actions, checks and files are written already.
export {
  type AccountsSite,
  accountsList,
  type PrintedAccount,
  printedTotal,
} from './institutions/banks/accounts-list.ts';
export {
  type InquiryCredentials,
  inquiryCredentials,
  selectedAccount,
} from './institutions/banks/quick-inquiry.ts';
export {
  type Inquiry,
  readStatement,
  type StatementReader,
  statementReader,
} from './institutions/banks/read-statement.ts';
export {
  assertAddsUp,
  type HistoryQuery,
  type Period,
  type Statement,
  type StatementHead,
  type Transaction,
} from './institutions/banks/statement.ts';
export { statementSpreadsheet } from './institutions/banks/statement-spreadsheet.ts';
export {
  type HistoryReader,
  transactionHistory,
} from './institutions/banks/transaction-history.ts';
export type {
  Call,
  CallAccount,
  CallLink,
  Connector,
  Credential,
  FormFields,
  InstitutionModule,
  InstitutionSite,
  JsonObject,
  NewFile,
  PortalClient,
  PortalPart,
  PortalRequest,
  PortalResponse,
  PortalSession,
  PortalTls,
  RealScope,
} from './institutions/connector.ts';
export { defineConnectors } from './institutions/connector.ts';
export { checkConnector } from './institutions/contract/check-connector.ts';
export type { CaseCredential, ConnectorCase } from './institutions/contract/connector-case.ts';
export { type ContractFinding, keepsContract } from './institutions/contract/finding.ts';
export { type RecordOptions, recordConnector } from './institutions/contract/record-connector.ts';
export { type Replay, replayConnector } from './institutions/contract/replay-connector.ts';
export type { Exchange, Trace, TraceEnd } from './institutions/contract/trace.ts';
export {
  defineInstitution,
  type OwnAction,
  type OwnInstitution,
} from './institutions/define-institution.ts';
export {
  InstitutionError,
  type InstitutionErrorDetails,
} from './institutions/institution-error.ts';
export { meaningOf } from './institutions/meaning/korean-sentences.ts';
export type { PortalMeaning, PortalPhase } from './institutions/meaning/portal-meaning.ts';
export { digitsParam, integerParam, textParam, textsParam } from './institutions/params.ts';
export { type PortalXml, readJson, readXml, wholeFile } from './institutions/portal/bodies.ts';
export {
  type Entered,
  endingLogin,
  keepingLogin,
  type Logout,
} from './institutions/portal/ending-login.ts';
export { fieldOf, type PortalForm, type Pressed, readForm } from './institutions/portal/form.ts';
export { cookiesOf, loggedIn } from './institutions/portal/logged-in.ts';
export {
  brokenPage,
  cell,
  elements,
  labelled,
  labelledValues,
  type PortalPage,
  parsePage,
  required,
  requireTitles,
  type Selection,
  sourceOf,
  tableRows,
  textOf,
} from './institutions/portal/page.ts';
export { type PagedList, readPages } from './institutions/portal/pager.ts';
export {
  formIn,
  formRequest,
  messageIn,
  openPortal,
  type Portal,
  type PortalFace,
} from './institutions/portal/portal.ts';
export {
  type CertificateFields,
  type LoginExtras,
  logInByCertificate,
  logInByPassword,
  type PasswordFields,
  serialNumber,
} from './institutions/portal/portal-login.ts';
export {
  type MessageRule,
  messageError,
  type PortalMeanings,
  type PortalMessage,
} from './institutions/portal/portal-message.ts';
export {
  digitsOrNull,
  printedCount,
  printedDay,
  printedDayOrNull,
  printedMoment,
  printedWon,
  textOrNull,
} from './institutions/portal/printed-values.ts';
export { PORTAL_SESSION_IDLE_MS } from './rules/jobs/session-idle.ts';
