import { type Static, Type } from 'typebox';
import { nameOf } from './person-fields.ts';
import { JsonObject, KstTime, nullable, strict } from './vocabulary.ts';

/** Bytes as WebAuthn writes them in JSON. */
const bytes = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

const MAX_CREDENTIAL_ID = 1_400;
const MAX_CLIENT_DATA = 4_096;

const Attempt = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'What the options came with; it works once, for five minutes',
});

/** What every credential says besides its response; browsers add members of their own. */
const credential = {
  id: bytes(MAX_CREDENTIAL_ID),
  rawId: bytes(MAX_CREDENTIAL_ID),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
};

/** `RegistrationResponseJSON` of WebAuthn. */
const NewCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(MAX_CLIENT_DATA),
      attestationObject: bytes(12_288),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  { description: 'The answer of navigator.credentials.create, in the JSON form of WebAuthn' },
);

/** `AuthenticationResponseJSON` of WebAuthn. */
const Assertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(MAX_CLIENT_DATA),
      authenticatorData: bytes(2_048),
      signature: bytes(8_192),
      userHandle: Type.Optional(nullable(bytes(128))),
    }),
  },
  { description: 'The answer of navigator.credentials.get, in the JSON form of WebAuthn' },
);

/** A signature of a passkey, made with the options of the attempt. */
export const PasskeyProof = Type.Object(
  { attempt: Attempt, credential: Assertion },
  { $id: 'PasskeyProof', ...strict },
);
export type PasskeyProof = Static<typeof PasskeyProof>;

export const PasskeyOptions = Type.Object(
  {
    attempt: Type.String({ description: 'To be sent back with the answer of the authenticator' }),
    public_key: JsonObject,
    expires_at: KstTime,
  },
  { $id: 'PasskeyOptions', ...strict },
);
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const PasskeyLoginRequest = Type.Object(
  {
    attempt: Attempt,
    credential: Assertion,
    cookie: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'For browsers: sets a session cookie, and the answer holds no token',
      }),
    ),
  },
  { $id: 'PasskeyLoginRequest', ...strict },
);
export type PasskeyLoginRequest = Static<typeof PasskeyLoginRequest>;

export const PasskeyAddRequest = Type.Object(
  {
    attempt: Attempt,
    credential: NewCredential,
    label: Type.Optional(nullable(nameOf(100))),
  },
  { $id: 'PasskeyAddRequest', ...strict },
);
export type PasskeyAddRequest = Static<typeof PasskeyAddRequest>;
