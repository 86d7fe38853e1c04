import { randomUUID } from 'node:crypto';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import { faultOf } from '../failures/fault.ts';
import type { Logger } from '../logging/logger.ts';
import { HOUR_MS } from '../rules/durations.ts';
import type { Store } from '../store/database.ts';
import type { ClaimedLetter, PostedLetter } from '../store/mail/mail-outbox.ts';
import { letterPlace } from '../store/schema/sealed-places.ts';
import { realTimers, repeat, singleFlight } from '../timers.ts';
import { type Letter, type LetterKind, linkOf, type NoticeKind, noticeLinkOf } from './letters.ts';
import type { Smtp } from './smtp.ts';

/** Longer than any attempt can take. */
const LEASE_MS = 120_000;
const POLL_MS = 5_000;
const FIRST_RETRY_MS = 15_000;
const MAX_RETRY_MS = HOUR_MS;

/** Writes messages with one-time links, and sends what is in the outbox. */
export interface PostOffice {
  /** False: links are returned instead of sent. */
  readonly sends: boolean;
  /** A message for the outbox, or null when no email is sent; and its link. */
  write(
    kind: Exclude<LetterKind, NoticeKind>,
    letter: Pick<Letter, 'to' | 'organization' | 'firstProof'> & { readonly token: string },
  ): Promise<{ readonly letter: PostedLetter | null; readonly link: string }>;
  /** A notice for the outbox, or null when no email is sent. */
  writeNotice(
    kind: NoticeKind,
    letter: Omit<Letter, 'kind' | 'link'>,
  ): Promise<PostedLetter | null>;
  /** In `dev`, logs a link that is not sent; elsewhere links are never logged. */
  tell(kind: LetterKind, link: string): void;
  /** A message was added: do not wait for the next round. */
  hurry(): void;
  /** Starts sending. Returns how to stop. */
  start(): () => Promise<void>;
}

export interface PostOfficeOptions {
  readonly store: Pick<Store, 'mailOutbox'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly publicBaseUrl: () => string;
  /** Null when no email is sent. */
  readonly openSmtp: (() => Promise<Smtp>) | null;
  readonly tellsLinks: boolean;
}

export function createPostOffice(options: PostOfficeOptions): PostOffice {
  const { vault, logger, publicBaseUrl, openSmtp, tellsLinks } = options;
  const delivery = openSmtp === null ? NO_DELIVERY : createDelivery(options, openSmtp);
  return {
    ...delivery,
    sends: openSmtp !== null,
    async write(kind, { token, ...letter }) {
      const link = linkOf(kind, publicBaseUrl(), token);
      if (openSmtp === null) return { letter: null, link };
      return { letter: await sealLetter(vault, { ...letter, kind, link }), link };
    },
    async writeNotice(kind, letter) {
      if (openSmtp === null) return null;
      const link = noticeLinkOf(kind, publicBaseUrl());
      return sealLetter(vault, { ...letter, kind, link });
    },
    tell(kind, link) {
      if (tellsLinks) logger.info({ kind, link }, 'no email is sent here; this is the link');
    },
  };
}

type Delivery = Pick<PostOffice, 'hurry' | 'start'>;

const NO_DELIVERY: Delivery = { hurry() {}, start: () => async () => {} };

function createDelivery(
  { store: { mailOutbox }, vault, logger }: PostOfficeOptions,
  openSmtp: () => Promise<Smtp>,
): Delivery {
  let opened: Promise<Smtp> | undefined;
  let started = false;

  async function send(claimed: ClaimedLetter): Promise<void> {
    try {
      const letter = await openLetter(vault, claimed);
      opened ??= openSmtp();
      await (await opened).send(claimed.id, letter);
      await mailOutbox.remove(claimed.id);
    } catch (failure) {
      await afterFailure(claimed, smtpCodeOf(failure));
    }
  }

  async function afterFailure({ id, attempts }: ClaimedLetter, code: string): Promise<void> {
    // Neither address nor text: the message is secret.
    const line = { letter: id, attempts, code };
    if (/^5\d\d$/.test(code)) {
      logger.error(line, 'email was refused permanently');
      return mailOutbox.remove(id);
    }
    logger.warn(line, 'email could not be sent; it is tried again');
    await mailOutbox.retryIn({ id, delayMs: retryDelay(attempts) });
  }

  const rounds = singleFlight(async () => {
    try {
      while (started) {
        const claimed = await mailOutbox.claim({ leaseMs: LEASE_MS });
        if (claimed.length === 0) return;
        await Promise.all(claimed.map(send));
      }
    } catch (error) {
      logger.error({ fault: faultOf(error) }, 'the outbox failed; it is tried again');
    }
  });
  const hurry = () => {
    if (started) rounds.call();
  };

  return {
    hurry,
    start() {
      started = true;
      const wait = () => POLL_MS;
      const stop = repeat(realTimers, wait, async () => hurry());
      return async () => {
        started = false;
        await stop();
        await rounds.idle();
        (await opened?.catch(() => undefined))?.close();
      };
    },
  };
}

async function sealLetter(vault: Pick<Vault, 'seal'>, letter: Letter): Promise<PostedLetter> {
  const id = randomUUID();
  const bytes = Buffer.from(JSON.stringify(letter));
  return { id, letter: await vault.seal(SYSTEM_SCOPE, letterPlace(id), bytes) };
}

async function openLetter(
  vault: Pick<Vault, 'open'>,
  { id, letter }: PostedLetter,
): Promise<Letter> {
  const bytes = await vault.open(SYSTEM_SCOPE, letterPlace(id), letter);
  // Sealed by this service, so nothing else can have written it.
  return JSON.parse(Buffer.from(bytes).toString()) as Letter;
}

function retryDelay(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS);
}

/** Only the code, because an SMTP server's text repeats the address. */
function smtpCodeOf(failure: unknown): string {
  const { responseCode, code }: { responseCode?: unknown; code?: unknown } = Object(failure);
  // Wrong credentials of our own say nothing about the message.
  if (code === 'EAUTH') return code;
  if (typeof responseCode === 'number') return String(responseCode);
  return typeof code === 'string' ? code : 'unknown';
}
