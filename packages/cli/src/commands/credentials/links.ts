import type { AccountLink, LinkDetails } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import { InputReader } from '../../input/read-input.ts';
import { credentialSecrets } from './credential-secrets.ts';
import { CONSENT, LINK, LINKED, linkRow, SELECTED, UNLINKED } from './shapes.ts';

/** Renewing a certificate takes an operator days. */
const SOON_MS = 30 * 24 * 60 * 60_000;

export const list = reads<[options: { readonly provider?: string | undefined }]>(
  LINK,
  async (cli, { provider }) => {
    const client = await cli.client('console');
    const query = provider === undefined ? {} : { provider };
    const { items } = await client.credentials.list(query, cli.call);
    // A typo's empty list would look like an answer.
    if (provider !== undefined && items.length === 0) await findInstitution(cli, provider);
    await cli.output.list(items.map(linkRow), LINK);
    const ending = items.filter((link) => endsSoon(link, cli.now()));
    if (ending.length > 0) await cli.notes.warn(cli.texts.accounts.certificatesEnd(ending.length));
    return undefined;
  },
);

/** The certificate of a link that is no longer used needs no renewal. */
function endsSoon({ cert, status }: AccountLink, now: number): boolean {
  return cert !== null && status !== 'UNLINKED' && Date.parse(cert.notAfter) < now + SOON_MS;
}

export const get = reads<[id: string]>(LINK, async (cli, id) => {
  const client = await cli.client('console');
  await cli.output.item(linkRow(await client.credentials.get(id, cli.call)), LINK);
  return undefined;
});

export interface CreateOptions {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Certificate and key in one file. */
  readonly p12?: string | undefined;
  /** Prompt for an id and a password, or take them from --secret. */
  readonly login?: true | undefined;
  readonly consentCode?: string | undefined;
  readonly state?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly primary?: true | undefined;
  readonly purpose?: 'real' | 'test' | undefined;
  readonly confirm?: true | undefined;
  readonly bizNumber?: string | undefined;
  readonly excludeProviders?: string[] | undefined;
}

/** Registers a certificate, a login or a consent. Everything secret is encrypted before it leaves this process. */
export const create = writes<[provider: string, options: CreateOptions]>(
  LINKED,
  async (cli, provider, options) => {
    const { label, primary, purpose, confirm: confirmed, bizNumber, excludeProviders } = options;
    const kind = kindOf(cli, options);
    await checkProvider(cli, provider, kind);
    const client = await cli.client('console');
    const identity = await readIdentity(cli, kind, options);
    const linked = await client.credentials.link(
      {
        provider,
        ...identity,
        ...(label === undefined ? {} : { displayLabel: label }),
        ...(primary ? { isPrimary: true } : {}),
        ...(purpose === undefined ? {} : { purpose }),
        ...(confirmed ? { confirm: true } : {}),
        ...(bizNumber === undefined ? {} : { bizNumber }),
        ...(excludeProviders ? { excludeProviders } : {}),
      },
      cli.call,
    );
    await cli.output.item(linked, LINKED);
    return undefined;
  },
);

/** Loaded only where an institution is named: the catalog is large. */
async function findInstitution(cli: Cli, provider: string) {
  return (await import('../../input/find-institution.ts')).findInstitution(cli, provider);
}

type Kind = 'certificate' | 'id_password' | 'consent';
type Identity = Pick<LinkDetails, 'secrets' | 'authorizationCode' | 'state'>;

function kindOf({ texts }: Cli, options: CreateOptions): Kind {
  const { cert, key, p12, login, consentCode } = options;
  const isPair = cert !== undefined && key !== undefined;
  const isPart = cert !== undefined || key !== undefined;
  const given: readonly [Kind, boolean][] = [
    ['certificate', isPart],
    ['certificate', p12 !== undefined],
    ['id_password', login === true],
    ['consent', consentCode !== undefined],
  ];
  const [kind, ...others] = given.filter(([, chosen]) => chosen).map(([name]) => name);
  const isWhole = isPair || !isPart;
  if (kind === undefined || others.length > 0 || !isWhole) {
    throw usageError(texts.accounts.whichKind);
  }
  return kind;
}

/** Checked before prompting for a password that could not be used. */
async function checkProvider(cli: Cli, provider: string, kind: Kind): Promise<void> {
  const institution = await findInstitution(cli, provider);
  const kinds: readonly string[] = institution?.linkTypes ?? [kind];
  if (!kinds.includes(kind)) {
    throw usageError(cli.texts.accounts.wrongKind(provider, kinds.join(', ')));
  }
}

async function readIdentity(cli: Cli, kind: Kind, options: CreateOptions): Promise<Identity> {
  const { cert = '', key = '', p12, consentCode = '', state } = options;
  const reader = new InputReader(cli.io, cli.texts);
  if (kind === 'consent') {
    return { authorizationCode: consentCode, ...(state === undefined ? {} : { state }) };
  }
  if (kind === 'id_password') {
    const names = ['login_id', 'login_password'] as const;
    const secrets = await credentialSecrets(cli, names, options.secret, reader);
    return { secrets: { loginId: secrets.login_id, loginPassword: secrets.login_password } };
  }
  const files =
    p12 === undefined
      ? {
          certData: await reader.bytes(cert, '--cert'),
          keyData: await reader.bytes(key, '--key'),
        }
      : { pkcs12Data: await reader.bytes(p12, '--p12') };
  const secrets = await credentialSecrets(cli, ['encrypted_pw'], options.secret, reader);
  return { secrets: { ...files, encryptedPw: secrets.encrypted_pw } };
}

export interface UnlinkOptions {
  readonly reason?: 'user_request' | 'admin_action' | 'security_incident' | undefined;
}

export const unlink = writes<[id: string, options: UnlinkOptions]>(
  UNLINKED,
  async (cli, id, { reason }) => {
    const client = await cli.client('console');
    const { provider, displayLabel } = await client.credentials.get(id, cli.call);
    await cli.confirm(async () => cli.texts.accounts.unlinkAsk(provider, displayLabel ?? '-', id));
    const body = reason === undefined ? {} : { unlinkReason: reason };
    await cli.output.item(await client.credentials.unlink(id, body, cli.call), UNLINKED);
    return undefined;
  },
);

interface ConsentOptions {
  readonly features?: string[] | undefined;
  readonly purpose?: 'real' | 'test' | undefined;
  /** Renews the consent of this link. */
  readonly link?: string | undefined;
  readonly open?: true | undefined;
}

export const consentUrl = writes<[provider: string, options: ConsentOptions]>(
  CONSENT,
  async (cli, provider, { features, purpose, link, open }) => {
    await checkProvider(cli, provider, 'consent');
    const client = await cli.client('console');
    const body = {
      provider,
      ...(features ? { features } : {}),
      ...(purpose ? { purpose } : {}),
      ...(link ? { accountLinkId: link } : {}),
    };
    const answer = await client.credentials.consentUrl(body, cli.call);
    await cli.output.item(answer, CONSENT);
    if (open && cli.interactive) await (await import('open')).default(answer.consentUrl);
    return undefined;
  },
);

/** Replaces the whole selection; without a value clears it. */
export const selectAssets = writes<[id: string, given: string | undefined]>(
  SELECTED,
  async (cli, id, given) => {
    const reader = new InputReader(cli.io, cli.texts);
    const assets = given === undefined ? null : await reader.jsonObject(given, 'assets');
    const client = await cli.client('console');
    await cli.output.item(await client.credentials.selectAssets(id, assets, cli.call), SELECTED);
    return undefined;
  },
);
