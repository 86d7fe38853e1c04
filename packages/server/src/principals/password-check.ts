import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { assertPasswordPolicy } from '../rules/principals/password-policy.ts';
import { ServiceError } from '../rules/service-error.ts';

/** Passwords that a million guesses find are refused: logins are limited, but a stolen hash is not. */
const LEAST_SCORE = 2;
/** A longer password says nothing new about its strength, and the work grows with the length. */
const LOOKED_AT = 64;

let loading: Promise<ZxcvbnFactory> | undefined;

interface Owner {
  readonly email: string;
  readonly name?: string;
}

/**
 * Checks a password that someone chooses.
 * @throws ServiceError PASSWORD_POLICY: too short, the address itself or, where strength is checked, easy to guess
 */
export type PasswordCheck = (password: string, owner: Owner) => Promise<void>;

export function createPasswordCheck(strength: 'on' | 'off'): PasswordCheck {
  return async (password, owner) => {
    assertPasswordPolicy(password, owner.email);
    if (strength === 'on') await assertHardToGuess(password, owner);
  };
}

async function assertHardToGuess(password: string, { email, name = '' }: Owner): Promise<void> {
  loading ??= loadEstimator();
  const estimator = await loading;
  const [local = ''] = email.split('@');
  const words = [email, local, ...email.split(/[@.]/), ...name.split(' '), name, 'changgu'];
  const own = words.filter((word) => word.length > 2);
  const { score } = estimator.check(password.slice(0, LOOKED_AT), own);
  if (score < LEAST_SCORE) throw new ServiceError('PASSWORD_POLICY');
}

/** A megabyte of words, loaded only where strength is checked, when the first password is chosen. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs }, korean] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('./korean-keys.ts'),
  ]);
  const words = korean.COMMON_KOREAN;
  const typed = words.map((word) => korean.typedInEnglish(word).toLowerCase());
  return new Factory({
    graphs: adjacencyGraphs,
    dictionary: { ...dictionary, korean: words, koreanTypedInEnglish: typed },
  });
}
