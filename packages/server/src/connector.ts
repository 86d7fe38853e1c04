/**
 * The entry point for institutions of your own: docs/writing-a-connector.md.
 */

export type {
  Call,
  CallAccount,
  CallLink,
  Connector,
  Credential,
  InstitutionModule,
  JsonObject,
  NewFile,
  PortalClient,
  PortalRequest,
  PortalResponse,
  PortalSession,
  RealScope,
} from './institutions/connector.ts';
export { defineConnectors } from './institutions/connector.ts';
export {
  type ContractFinding,
  checkConnector,
  keepsContract,
} from './institutions/contract/check-connector.ts';
export type { CaseCredential, ConnectorCase } from './institutions/contract/connector-case.ts';
export {
  defineInstitution,
  type OwnAction,
  type OwnInstitution,
} from './institutions/define-institution.ts';
export {
  InstitutionError,
  type InstitutionErrorDetails,
} from './institutions/institution-error.ts';
export type { PortalMeaning, PortalPhase } from './institutions/meaning/portal-meaning.ts';
export { cookiesOf, loggedIn } from './institutions/portal/logged-in.ts';
export {
  brokenPage,
  cell,
  elements,
  labelled,
  labelledValues,
  type PortalForm,
  type PortalPage,
  readForm,
  required,
  type Selection,
  tableRows,
  textOf,
} from './institutions/portal/page.ts';
export {
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
} from './institutions/portal/portal-login.ts';
export type {
  MessageRule,
  PortalMeanings,
  PortalMessage,
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
