/** What a team needs to add an institution of its own (D149): `CHANGGU_CONNECTORS=./connectors.mjs`. */
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
export { defineInstitution } from './institutions/connector.ts';
export { InstitutionError } from './institutions/institution-error.ts';
