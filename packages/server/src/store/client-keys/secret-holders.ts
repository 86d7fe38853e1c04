import type { Transaction } from '../transactions/script.ts';

/** When something happens, in the order of the audit log. */
export interface Moment {
  readonly id: number;
  readonly at: number;
}

interface Rotation extends Moment {
  readonly by: string;
  /** How long the secret before it still works. */
  readonly overlapMs: number;
}

/** By key, oldest first: who chose its secrets, as only whoever rotates a key is told the new one. */
export type Rotations = ReadonlyMap<string, readonly Rotation[]>;

/** Of the organization's keys. Rotations are rare, and found by their kind: an organization has many other acts. */
export async function rotationsOf(tx: Transaction, organizationId: number): Promise<Rotations> {
  const rows = await tx.db
    .selectFrom('audit')
    .select(['id', 'at', 'actor_kind', 'actor_id', 'target', 'details'])
    .where('act', '=', 'app_credential.rotate')
    .where('target', 'in', (eb) =>
      eb
        .selectFrom('app_credentials')
        .select('client_id')
        .where('organization_id', '=', organizationId),
    )
    .orderBy('id')
    .execute();
  const rotations = rows.map(({ id, at, actor_kind: kind, actor_id: actorId, target, details }) => {
    const { overlap_seconds: seconds = 0 }: { overlap_seconds?: number } = JSON.parse(details);
    return { target, id, at, by: `${kind}:${actorId}`, overlapMs: seconds * 1_000 };
  });
  return Map.groupBy(rotations, ({ target }) => target ?? '');
}

/** Whether the person replaced a secret of the key that works at this moment: the last, or the one before in its overlap. */
export function knowsSecret(
  rotations: Rotations,
  { clientId, person, moment }: { clientId: string; person: string; moment: Moment },
): boolean {
  const earlier = (rotations.get(clientId) ?? []).filter(({ id }) => id < moment.id);
  const [last, previous] = earlier.toReversed();
  if (last === undefined) return false;
  const isOverlap = moment.at < last.at + last.overlapMs;
  return last.by === person || (isOverlap && previous?.by === person);
}
