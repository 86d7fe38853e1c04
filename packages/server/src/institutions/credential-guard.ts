import type {
  CallAccount,
  CallLink,
  Credential,
  PortalClient,
  PortalRequest,
} from './connector.ts';
import { InstitutionError } from './institution-error.ts';

/** Keeps a job from sending a credential again after an answer that was not understood. */
export interface CredentialGuard {
  present<Result>(send: () => Promise<Result>): Promise<Result>;
  /** A client that notices a credential in a request that no `present` announced. */
  watch(client: PortalClient): PortalClient;
  /** The link, with a credential whose use is noticed. */
  watchLink(link: CallLink | null): CallLink | null;
  /** From here on the connector may not be retried automatically. */
  isSent(): boolean;
  /** Sent, but it is unknown whether it was accepted. */
  isUnclear(): boolean;
}

export interface GuardedSecrets {
  readonly link: Pick<CallLink, 'credential'> | null;
  readonly account: Pick<CallAccount, 'accountPassword'> | null;
  readonly secrets: Readonly<Record<string, string>>;
}

type State = 'unsent' | 'sending' | 'accepted' | 'refused' | 'unclear';

/**
 * `announce` is awaited before the first request that carries a credential; if it throws, none is sent. `onUnannounced`
 * hears of each request that `watch` noticed, right before it.
 */
export function guardCredential(
  guarded: GuardedSecrets,
  announce: () => Promise<void>,
  onUnannounced: () => void = () => {},
): CredentialGuard {
  const passwords = passwordsOf(guarded);
  let state: State = 'unsent';
  let depth = 0;
  let signed = false;

  async function begin(): Promise<void> {
    if (state !== 'unsent' && state !== 'accepted') {
      throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false });
    }
    if (state === 'unsent') await announce();
    state = 'sending';
    signed = false;
  }

  async function present<Result>(send: () => Promise<Result>): Promise<Result> {
    if (depth > 0) return send();
    await begin();
    depth += 1;
    try {
      const result = await send();
      state = 'accepted';
      return result;
    } catch (error) {
      state = isAnswer(error) ? 'refused' : 'unclear';
      throw error;
    } finally {
      depth -= 1;
    }
  }

  return {
    present,
    watch: (client) => ({
      ...client,
      async request(request) {
        if (depth === 0 && (signed || carries(request, passwords))) {
          await begin();
          // Nothing reports whether the answer was understood.
          state = 'unclear';
          onUnannounced();
        }
        return client.request(request);
      },
    }),
    watchLink: (link) =>
      link && {
        ...link,
        credential: watchSignature(link.credential, () => {
          if (depth === 0) signed = true;
        }),
      },
    isSent: () => state !== 'unsent',
    isUnclear: () => state === 'sending' || state === 'unclear',
  };
}

function watchSignature(credential: Credential, onSign: () => void): Credential {
  if (credential.type !== 'certificate') return credential;
  return {
    ...credential,
    sign: (challenge) => {
      onSign();
      return credential.sign(challenge);
    },
  };
}

function passwordsOf({ link, account, secrets }: GuardedSecrets): readonly string[] {
  const credential = link?.credential;
  const passwords = [
    ...(credential?.type === 'id_password' ? [credential.loginPassword] : []),
    ...(account ? [account.accountPassword] : []),
    ...Object.values(secrets),
  ];
  return passwords.filter((password) => password !== '');
}

/** Whether the request contains a password literally. One that a page encrypts must be announced. */
function carries(
  { query, form, multipart = [], json, body, headers }: PortalRequest,
  passwords: readonly string[],
): boolean {
  const values = [
    ...[query, form, headers].flatMap((fields) => Object.values(fields ?? {}).flat()),
    ...multipart.map(({ value }) => textOf(value)),
  ];
  const quoted = json === undefined ? '' : JSON.stringify(json);
  const raw = body === undefined ? '' : textOf(body.content);
  return passwords.some(
    (password) =>
      values.includes(password) ||
      quoted.includes(JSON.stringify(password)) ||
      raw.includes(password),
  );
}

function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString();
}

/** The institution has clearly accepted or refused the credential, so no attempt is open. */
export function isAnswer(error: unknown): boolean {
  return error instanceof InstitutionError && error.code !== 'PROVIDER_UPSTREAM_ERROR';
}
