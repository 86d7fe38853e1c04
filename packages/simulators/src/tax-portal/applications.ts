import { randomBytes } from 'node:crypto';
import { dayFrom, dayOf, formatDay, startOfDay } from '../seed/kst.ts';
import { seededRandom } from '../seed/random.ts';
import type { CertificateScreen } from './screens.ts';
import { PURPOSES, RECEIVERS, SCREENS } from './screens.ts';

/** What was entered in the application form, checked. */
export interface ApplicationDraft {
  screen: CertificateScreen;
  purpose: string;
  receiver: string;
  showsResidentNumber: boolean;
  copies: number;
  language: 'KO' | 'EN';
  period: string;
}

export interface Application extends ApplicationDraft {
  receiptNo: string;
  issueNo: string;
  appliedAt: number;
}

const HISTORY = 13;

function numbered(draft: ApplicationDraft, appliedAt: number, seed: string): Application {
  const random = seededRandom(seed);
  return {
    ...draft,
    appliedAt,
    receiptNo: `${formatDay(dayOf(appliedAt))}-${random.digits(9)}`,
    issueNo: `${random.digits(4)}-${random.digits(3)}-${random.digits(4)}-${random.digits(3)}`,
  };
}

function pastApplication(owner: string, index: number): Application {
  const random = seededRandom(`past:${owner}:${index}`);
  const draft: ApplicationDraft = {
    screen: random.pick(SCREENS.filter(({ who }) => who === 'anyone')),
    purpose: random.pick(Object.keys(PURPOSES)),
    receiver: random.pick(Object.keys(RECEIVERS)),
    showsResidentNumber: false,
    copies: random.int(1, 3),
    language: 'KO',
    period: '',
  };
  const day = dayFrom(2025, 1, 6) + index * 17 + random.int(0, 9);
  const at = startOfDay(day) + random.int(9 * 3600, 18 * 3600) * 1000;
  return numbered(draft, at, `past-number:${owner}:${index}`);
}

/** Applications of all members since the portal was started, after a seeded history of each. */
export class Applications {
  readonly #byOwner = new Map<string, Application[]>();
  readonly #drafts = new Map<string, { owner: string; draft: ApplicationDraft }>();

  /** Oldest first. */
  of(owner: string): readonly Application[] {
    return this.#listOf(owner);
  }

  /** Keeps a confirmed draft until it is submitted; the token works once. */
  keepDraft(owner: string, draft: ApplicationDraft): string {
    const token = randomBytes(16).toString('hex');
    this.#drafts.set(token, { owner, draft });
    return token;
  }

  /** Registers the draft of a token; null when it was used already or is another member's. */
  submit(owner: string, token: string, now: number): Application | null {
    const kept = this.#drafts.get(token);
    if (kept?.owner !== owner) return null;
    this.#drafts.delete(token);
    const list = this.#listOf(owner);
    const application = numbered(kept.draft, now, `new:${owner}:${list.length}:${now}`);
    list.push(application);
    return application;
  }

  #listOf(owner: string): Application[] {
    const known = this.#byOwner.get(owner);
    if (known) return known;
    const past = Array.from({ length: HISTORY }, (_, index) => pastApplication(owner, index));
    this.#byOwner.set(owner, past);
    return past;
  }
}
