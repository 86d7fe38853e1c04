import type { KeyObject } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { ServerConfig } from './config/server-config.ts';
import {
  createEncryptionKeys,
  createKeyMaker,
  ENCRYPTION_KEY_POLICY,
  type EncryptionKeys,
} from './crypto/encryption-keys.ts';
import { createKeyRing, type KeyRecordStore, type KeyRing } from './crypto/key-ring.ts';
import { assertMasterKey, type MasterKeySource } from './crypto/master-keys/master-key.ts';
import { openMasterKeySource } from './crypto/master-keys/master-key-source.ts';
import {
  NO_SECRETS,
  type OrganizationSecrets,
  secretsInDirectory,
} from './crypto/organization-secrets.ts';
import { encryptionRing, type RingName } from './crypto/ring-name.ts';
import { createUrlSigner, type UrlSigner, type UrlSigningKey } from './crypto/signed-url.ts';
import {
  createTokens,
  generateSigningKey,
  SIGNING_KEY_POLICY,
  type Tokens,
} from './crypto/signing-keys.ts';
import { createVault, type OrganizationKeyStore, type Vault } from './crypto/vault.ts';
import { closeOnFailure } from './failures/close-on-failure.ts';
import { RECEIPT_KEY_POLICY } from './receipts/signer.ts';
import { openStore, type Store } from './store/database.ts';

/** A quarter of each leased second. */
const ANSWER_SHARE_OF_LEASE_MS = 250;

/** The database and the keys that open what is in it: what every command works with. */
export interface CoreDependencies {
  readonly store: Store;
  readonly masterKeys: MasterKeySource;
  readonly secrets: OrganizationSecrets;
  readonly vault: Vault;
  readonly encryptionKeys: EncryptionKeys;
  readonly signingRing: KeyRing;
  readonly oauthRing: KeyRing;
  readonly receiptRing: KeyRing;
  readonly tokens: Tokens;
  readonly urlSigner: UrlSigner;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

export interface CoreOptions {
  readonly clock: Clock;
  /** `dev` only: make a master key when its directory has none. */
  readonly createDevKey?: boolean;
  /** Default false. With true SQLite runs in the thread of the caller, as `openStore` says. */
  readonly inThisThread?: boolean;
  /** Called once the database has begun to open in a thread of its own: time to load what else is needed. */
  readonly onOpening?: () => void;
  /** Replaces making an RSA key, which takes up to a second: for tests. */
  readonly generateEncryptionKey?: () => Promise<KeyObject>;
}

/**
 * Opens the store and the keys.
 * @throws MasterKeyError when the master key is missing or is not the one of this database
 */
export async function openCore(
  config: ServerConfig,
  options: CoreOptions,
): Promise<CoreDependencies> {
  const { clock } = options;
  const masterKeys = await openMasterKeySource({
    masterKey: config.masterKey,
    masterKeyFile: config.masterKeyFile,
    masterKeyCommand: config.masterKeyCommand,
    createDevKey: options.createDevKey ?? false,
    devDataDir: config.mode === 'serve' ? undefined : config.dataDir,
  });
  const store = await openStore({
    url: config.databaseUrl,
    // Below a third of the lease, so that a silent connection never costs a job its lease.
    answerMs: config.leaseSeconds * ANSWER_SHARE_OF_LEASE_MS,
    inThisThread: options.inThisThread,
    onOpening: options.onOpening,
  });
  await closeOnFailure(store.close, () => checkMasterKey(store, masterKeys));
  const secrets =
    config.organizationSecretsDir === undefined
      ? NO_SECRETS
      : secretsInDirectory(config.organizationSecretsDir);
  const organizationKeys = organizationKeysOf(store);
  const vault = createVault({ masterKeys, organizationKeys, secrets });
  const { encryptionKeys, signingRing, oauthRing, receiptRing } = openKeys(store, vault, options);
  return {
    store,
    masterKeys,
    secrets,
    vault,
    encryptionKeys,
    signingRing,
    oauthRing,
    receiptRing,
    tokens: createTokens({
      ring: signingRing,
      issuer: 'changgu',
      audience: 'changgu',
      now: clock.realNow,
    }),
    urlSigner: createUrlSigner(() => urlKeysOf(masterKeys)),
    clock,
    close: () => store.close(),
  };
}

/** Opens the core and meanwhile loads the rest of the program: a load that began first would hold up the database. */
export async function openCoreBeside<T>(
  config: ServerConfig,
  options: CoreOptions,
  load: () => Promise<T>,
): Promise<[core: CoreDependencies, loaded: T]> {
  const opening = Promise.withResolvers<void>();
  const core = openCore(config, { ...options, onOpening: opening.resolve });
  return closeOnFailure(
    async () => (await core).close(),
    () => Promise.all([core, Promise.race([opening.promise, core]).then(load)]),
  );
}

function openKeys(store: Store, vault: Vault, options: CoreOptions) {
  const shared = { vault, now: options.clock.realNow };
  const generate = createKeyMaker(options.generateEncryptionKey);
  const encryptionKeys = createEncryptionKeys((organizationId, envScope) => {
    const ring = encryptionRing(organizationId, envScope);
    return createKeyRing({
      ...shared,
      ring,
      policy: ENCRYPTION_KEY_POLICY,
      store: ringRows(store, ring),
      generate,
    });
  });
  const ofTheSystem = (ring: RingName, policy = SIGNING_KEY_POLICY) =>
    createKeyRing({
      ...shared,
      ring,
      policy,
      store: ringRows(store, ring),
      generate: generateSigningKey,
    });
  return {
    encryptionKeys,
    signingRing: ofTheSystem('signing_keys'),
    oauthRing: ofTheSystem('oauth_keys'),
    receiptRing: ofTheSystem('receipt_keys', RECEIPT_KEY_POLICY),
  };
}

/** The first server on a database writes which master key it is sealed with; later ones must have it. */
async function checkMasterKey(store: Store, masterKeys: MasterKeySource): Promise<void> {
  const [current] = masterKeys.keys();
  const existing = await store.organizationKeys.setMasterKeyCheck({
    id: current.id,
    onlyIfAbsent: true,
  });
  assertMasterKey(masterKeys.keys(), existing);
}

function urlKeysOf(masterKeys: MasterKeySource): readonly [UrlSigningKey, ...UrlSigningKey[]] {
  const [current, ...previous] = masterKeys.keys().map(({ id, urlSigningKey }) => ({
    id,
    secret: urlSigningKey,
  }));
  if (current === undefined) throw new Error('there is no master key');
  return [current, ...previous];
}

function organizationKeysOf({ organizationKeys }: Store): OrganizationKeyStore {
  return {
    load: organizationKeys.load,
    saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
  };
}

function ringRows({ ringKeys }: Store, ring: RingName): KeyRecordStore {
  return {
    list: () => ringKeys.list(ring),
    replaceCurrent: (currentKid, next) => ringKeys.replaceCurrent({ ring, currentKid, next }),
    destroy: (kids) => ringKeys.destroy({ ring, kids }),
  };
}
