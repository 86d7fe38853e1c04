import { LIMITS } from '@changgu/contract';
import { ServiceError } from '../rules/service-error.ts';

const RETRY_SECONDS = 30;

/** Limits the streams that each caller has open on this process. */
export function createStreamPlaces(most: number = LIMITS.eventStreams) {
  const taken = new Map<string, number>();
  return {
    /** Returns how to release the place. @throws ServiceError RATE_LIMITED */
    take(caller: string): () => void {
      const count = taken.get(caller) ?? 0;
      if (count >= most) throw tooMany(most);
      taken.set(caller, count + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left === 0) taken.delete(caller);
        else taken.set(caller, left);
      };
    },
  };
}

function tooMany(most: number): ServiceError {
  return new ServiceError('RATE_LIMITED', {
    retryAfterSeconds: RETRY_SECONDS,
    message: {
      ko: `이벤트 스트림은 동시에 ${most}개까지 열 수 있습니다. 쓰지 않는 스트림을 닫으십시오.`,
      en: `At most ${most} event streams can be open at once. Close those that are not in use.`,
    },
  });
}
