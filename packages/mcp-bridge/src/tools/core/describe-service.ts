import { nearest, portableParams } from '@changgu/sdk/catalogue';
import type { Bridge } from '../../bridge.ts';
import { koreanDay } from '../../clock.ts';
import { findService } from '../../offering.ts';
import { explain } from '../../results/explain-error.ts';
import { failedEnvelope } from '../../run/job-envelope.ts';
import { answer } from '../answer.ts';
import { type Outcome, READS, type Tool } from '../tool.ts';

export function describeService(bridge: Bridge): Tool {
  return {
    name: 'describe_service',
    title: '서비스 설명',
    description:
      'Shows the params, the result, the cost and the login of one service. Call it before run_service. Costs nothing.',
    inputSchema: {
      type: 'object',
      properties: { service: { type: 'string', description: 'Id from search_services' } },
      required: ['service'],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ service }) {
      const action = await findService(bridge, String(service));
      if (!action) return unknownService(bridge, String(service));
      return answer(bridge, async () => ({
        data: {
          ...koreanDay(bridge.clock),
          service: action.id,
          title: action.title.ko,
          description: action.description.en,
          params: portableParams(action.params),
          required: action.params.required ?? [],
          result: action.result.properties,
          irreversible: action.irreversible,
          selects_account: action.selectsAccount,
          usage_tokens: action.usageTokens,
          ...(action.loginAction === null ? {} : { login: action.loginAction }),
          ...(action.file === null ? {} : { file: action.file.format }),
        },
      }));
    },
  };
}

/** With the nearest id there is. */
export function unknownService(bridge: Bridge, service: string): Outcome {
  const near = nearest(service, [...bridge.offering.now.services.keys()]);
  const explained = explain(bridge, { code: 'UNKNOWN_SERVICE', retryable: false });
  const envelope = failedEnvelope(bridge, {
    ...explained,
    next: near
      ? [{ tool: 'describe_service', arguments: { service: near }, why: 'the nearest id' }]
      : [{ tool: 'search_services', arguments: { query: '' }, why: 'lists the services' }],
  });
  return { envelope };
}
