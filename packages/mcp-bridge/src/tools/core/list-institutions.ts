import type { Bridge } from '../../bridge.ts';
import { koreanDay } from '../../clock.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';

export function listInstitutions(bridge: Bridge): Tool {
  return {
    name: 'list_institutions',
    title: '기관 목록',
    description:
      'Lists the institutions and how they are doing now: HEALTHY, DEGRADED or DOWN, maintenance, when to try again. Costs nothing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: READS,
    run: () =>
      answer(bridge, async () => {
        const { items } = await bridge.client.institutions.list();
        return {
          data: {
            ...koreanDay(bridge.clock),
            institutions: items.map(({ provider, name, kind, state, maintenance, retryAt }) => ({
              institution: provider,
              name,
              kind,
              state,
              maintenance,
              ...(retryAt === null ? {} : { retry_at: retryAt }),
              services: servicesOf(bridge, provider),
            })),
          },
        };
      }),
  };
}

function servicesOf({ offering }: Bridge, provider: string): number {
  return [...offering.now.services.values()].filter((action) => action.provider === provider)
    .length;
}
