import type { VersionStatus } from '@changgu/contract/schemas';
import { DAY_MS } from '../durations.ts';
import { ServiceError } from '../service-error.ts';

/** What a version can become. */
export type VersionMove = Exclude<VersionStatus, 'DRAFT'>;

/** The allowed state changes of a version. */
const MOVES: Readonly<Record<VersionStatus, readonly VersionStatus[]>> = {
  DRAFT: ['PUBLISHED', 'RETIRED'],
  PUBLISHED: ['DEPRECATED'],
  DEPRECATED: ['RETIRED'],
  RETIRED: [],
};

export function mayMove(from: VersionStatus, to: VersionStatus): boolean {
  return MOVES[from].includes(to);
}

/** Days from a version's deprecation to its sunset. */
export const SUNSET_DAYS = 90;

export function sunsetOf(deprecatedAt: number): number {
  return deprecatedAt + SUNSET_DAYS * DAY_MS;
}

interface MovingVersion {
  readonly status: VersionStatus;
  readonly isCurrent: boolean;
  readonly deprecatedAt: number | null;
}

/**
 * Refuses state changes that the table does not allow, and retiring the current version before another
 * one is current or its sunset has passed.
 * @throws ServiceError CONFLICT_STATE
 */
export function assertVersionMayMove(version: MovingVersion, to: VersionStatus, now: number): void {
  if (!mayMove(version.status, to)) throw new ServiceError('CONFLICT_STATE');
  if (to !== 'RETIRED' || !version.isCurrent) return;
  if (version.deprecatedAt !== null && now >= sunsetOf(version.deprecatedAt)) return;
  throw new ServiceError('CONFLICT_STATE', {
    message: {
      ko: '현재 버전은 다른 버전이 게시되거나 종료 예정일이 지난 뒤에 종료할 수 있습니다.',
      en: 'The current version can be retired once another is current or its sunset has passed.',
    },
  });
}
