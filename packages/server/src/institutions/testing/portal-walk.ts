import type { Provider, Simulators } from '@changgu/simulators';
import { expect } from 'vitest';
import type { CallLink, InstitutionModule, JsonObject } from '../connector.ts';
import type { PortalHttp } from '../portal/client/http-client.ts';
import {
  type FakeCall,
  type FakeCallOptions,
  fakeCall,
  isKoreanOneLiner,
  memorySession,
  violationsOf,
} from './fake-call.ts';

export interface WalkOptions {
  readonly simulators: Simulators;
  readonly institution: InstitutionModule;
  readonly link: Partial<CallLink> | null;
  readonly now: () => number;
  readonly http?: PortalHttp;
}

export interface Walked {
  readonly data: JsonObject;
  readonly call: FakeCall;
}

/** Performs actions of one link in sequence; they share the session. */
export interface Walk {
  readonly session: ReturnType<typeof memorySession>;
  /** Every result is checked against its action's schema. */
  readonly run: (
    action: string,
    params?: JsonObject,
    times?: Pick<FakeCallOptions, 'submittedAt'>,
  ) => Promise<Walked>;
}

export function walk({ simulators, institution, link, now, http }: WalkOptions): Walk {
  const session = memorySession();
  const { connectors } = institution;
  // The simulators are named like the institutions.
  const provider = institution.provider as Provider;
  return {
    session,
    async run(action, params = {}, times = {}) {
      const connector = connectors[action];
      if (connector === undefined) throw new Error(`${action} has no connector`);
      const baseUrl = simulators.urls[provider];
      const call = await fakeCall({
        baseUrl,
        action,
        params,
        link,
        session,
        now,
        ...times,
        ...(http && { http }),
      });
      const data = await connector(call);
      expect(await violationsOf(action, data)).toEqual([]);
      expect(call.steps.filter((step) => !isKoreanOneLiner(step))).toEqual([]);
      return { call, data: data ?? {} };
    },
  };
}
