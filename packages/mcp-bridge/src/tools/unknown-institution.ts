import { nearest } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { explain } from '../results/explain-error.ts';
import { failedEnvelope } from '../run/job-envelope.ts';
import type { Outcome } from './tool.ts';

/**
 * Null when there is this institution, or none was named; otherwise the answer, which names those that there are. An
 * unknown one may just have been added.
 */
export async function unknownInstitution(
  bridge: Bridge,
  asked: unknown,
  again: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
): Promise<Outcome | null> {
  if (typeof asked !== 'string') return null;
  const known = () => bridge.offering.now.institutions.map(({ provider }) => provider);
  const isKnown = () => known().includes(asked);
  if (isKnown()) return null;
  await bridge.offering.refresh();
  if (isKnown()) return null;
  const institutions = known();
  const near = nearest(asked, institutions);
  const explained = explain(bridge, { code: 'UNKNOWN_INSTITUTION', retryable: false });
  const meant = { ...again, arguments: { ...again.arguments, institution: near } };
  const next = near === null ? [] : [{ ...meant, why: 'the nearest id' }];
  return {
    envelope: { ...failedEnvelope(bridge, { ...explained, next }), data: { institutions } },
  };
}
