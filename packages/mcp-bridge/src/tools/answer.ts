import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope } from '../results/envelope.ts';
import { type ErrorOrigin, explainThrown } from '../results/explain-error.ts';
import { failedEnvelope } from '../run/job-envelope.ts';
import type { Outcome } from './tool.ts';

type Found = Pick<Envelope, 'data' | 'next' | 'warnings'>;

/** What a tool found out, or why it could not. */
export async function answer(
  bridge: Bridge,
  find: () => Promise<Found>,
  origin?: ErrorOrigin,
): Promise<Outcome> {
  try {
    const as_of = timestamp(bridge.clock);
    return { envelope: { status: 'OK', as_of, ...(await find()) } };
  } catch (error) {
    return { envelope: failedEnvelope(bridge, explainThrown(bridge, error, origin)) };
  }
}
