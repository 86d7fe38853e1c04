import { Command, InvalidArgumentError } from 'commander';
import type { KeyRing } from '../crypto/key-ring.ts';
import { DATA_DIR, type DataDir, type Opened, print, withCore } from './with-core.ts';

/** Commands that rotate keys, also while a server is running. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('Rotate keys while servers keep running');
  keys
    .command('rotate-encryption')
    .description(
      'Retire the keys that clients encrypt values for; each organization gets a new one when it next asks',
    )
    .option(...DATA_DIR)
    .action((options: DataDir) => withCore(options, retireEncryptionKeys));
  keys
    .command('rotate-signing')
    .description('Create a new key to sign tokens with; existing tokens stay valid')
    .option(
      '--revoke-previous',
      'after a leak: destroy all earlier keys, so that everyone has to log in again',
    )
    .option(...DATA_DIR)
    .action((options: DataDir & { revokePrevious?: true }) =>
      withCore(options, ({ core }) => rotateRing(core.signingRing, options.revokePrevious)),
    );
  keys
    .command('rotate-receipts')
    .description(
      'Create a new key to sign receipts with; the public halves of earlier keys stay published',
    )
    .option(...DATA_DIR)
    .action((options: DataDir) => withCore(options, ({ core }) => rotateRing(core.receiptRing)));
  keys
    .command('rotate-master')
    .description(
      'Wrap every data key with a new master key. A key file is updated; with CHANGGU_MASTER_KEY, set it to "new,old" first',
    )
    .option(...DATA_DIR)
    .action((options: DataDir) => withCore(options, rotateMaster));
  keys
    .command('rotate-data')
    .description(
      'Give every organization a new data key, seal all stored values again and destroy the old keys. Run it again after an interruption',
    )
    .option(
      '--wait <seconds>',
      'how long running servers may still seal with the old keys',
      wholeSeconds,
      DEFAULT_WAIT_SECONDS,
    )
    .option(...DATA_DIR)
    .action((options: DataDir & { wait: number }) =>
      withCore(options, (opened) => rotateData(opened, options.wait)),
    );
  return keys;
}

/** Servers read a new key within a minute; the rest is for values sealed earlier but not yet written. */
const DEFAULT_WAIT_SECONDS = 300;

function wholeSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('use a whole number of seconds');
  return Number(text);
}

async function rotateData({ core: { store, vault } }: Opened, seconds: number): Promise<void> {
  const [{ rotateDataKeys }, { setTimeout: after }] = await Promise.all([
    import('../crypto/rotation/rotate-data-keys.ts'),
    import('node:timers/promises'),
  ]);
  await rotateDataKeys({
    rotation: store.dataKeyRotation,
    sealedRows: store.sealedRows,
    vault,
    newId: () => crypto.randomUUID(),
    tell: print,
    others: () => {
      const until = performance.now() + seconds * 1_000;
      return () => after(Math.max(0, until - performance.now()));
    },
  });
}

async function rotateRing(ring: KeyRing, revokePrevious = false): Promise<void> {
  await (revokePrevious ? ring.revoke() : ring.rotate());
  const [current, ...previous] = await ring.keys();
  print({ kid: current?.kid, previous: previous.map(({ kid }) => kid) });
}

async function retireEncryptionKeys({ core: { store, clock } }: Opened): Promise<void> {
  const { ENCRYPTION_KEY_POLICY } = await import('../crypto/encryption-keys.ts');
  const now = clock.realNow();
  const retired = await store.ringKeys.expireEncryption({
    now,
    retireMadeBefore: now,
    destroyRetiredBefore: now - ENCRYPTION_KEY_POLICY.previousMs,
  });
  print({ retired });
}

/** The previous key leaves the file then, so nothing may still be wrapped by it. */
async function rotateMaster({
  core: { store, masterKeys, secrets },
  config,
}: Opened): Promise<void> {
  const [{ rewrapKeys }, { devMasterKeyFile, rotateMasterKeyFile }] = await Promise.all([
    import('../crypto/rotation/rewrap-keys.ts'),
    import('../crypto/master-keys/master-key-source.ts'),
  ]);
  let rewrapped = await rewrapKeys(store.organizationKeys, masterKeys, secrets);
  // A variable or a key service already lists the new key before the old one.
  if (config.masterKey === undefined && config.masterKeyCommand === undefined) {
    await rotateMasterKeyFile(config.masterKeyFile ?? devMasterKeyFile(config.dataDir));
    await masterKeys.reload();
    rewrapped += await rewrapKeys(store.organizationKeys, masterKeys, secrets);
  }
  const [{ id }] = masterKeys.keys();
  print({ master_key_id: id, rewrapped });
}
