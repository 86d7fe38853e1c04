import type { ClientMetadata } from 'oidc-provider';
import { DEVICE_GRANT } from './registered-clients.ts';

/** The client of `changgu login --web`, built into every server with OAuth. It cannot keep a secret (RFC 8252). */
export const COMMAND_LINE_CLIENT: ClientMetadata = {
  client_id: 'changgu-cli',
  client_name: 'Changgu CLI',
  application_type: 'native',
  // On loopback the port is ignored.
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', DEVICE_GRANT, 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
