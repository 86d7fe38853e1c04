import type { Stop } from './stop.ts';
import { refuse } from './stop.ts';

const ALLOWED = 5;
const LOCKED_TEXT = '비밀번호 5회 오류로 이용이 제한되었습니다. 영업점을 방문하여 주십시오.';

export function locked(): Stop {
  return refuse(LOCKED_TEXT, 'E1423');
}

/** Wrong passwords in a row, per login id or account; the fifth locks. */
export class Attempts {
  readonly #wrong = new Map<string, number>();

  /** @throws Stop when the login is locked, or the password is wrong. */
  check(login: string, right: boolean): void {
    const before = this.#wrong.get(login) ?? 0;
    if (before >= ALLOWED) throw locked();
    if (right) {
      this.#wrong.delete(login);
      return;
    }
    this.#wrong.set(login, before + 1);
    if (before + 1 >= ALLOWED) throw locked();
    throw refuse(`비밀번호가 일치하지 않습니다. (${before + 1}/${ALLOWED}회)`, 'E1401');
  }
}
