import type { Bridge } from '../../bridge.ts';
import { isJsonObject } from '../../json-object.ts';
import { findService } from '../../offering.ts';
import { explainProblems } from '../../results/explain-error.ts';
import { failedEnvelope } from '../../run/job-envelope.ts';
import { runService } from '../../run/run-service.ts';
import { readServiceCall } from '../../run/service-call.ts';
import { callArguments } from '../call-arguments.ts';
import { checkArguments } from '../check-arguments.ts';
import { strictParams } from '../strict-params.ts';
import type { Tool } from '../tool.ts';
import { unknownService } from './describe-service.ts';

/** Runs any service by its id: the way to those without their own tool. */
export function runServiceTool(bridge: Bridge): Tool {
  const { readOnly } = bridge.settings;
  return {
    name: 'run_service',
    title: '서비스 실행',
    description: [
      'Runs a service by its id (search_services, describe_service) and waits for the result.',
      'A job that has not ended is answered with its job_id and the call that waits on.',
      readOnly ? '' : 'Irreversible services ask the person to confirm first.',
    ]
      .filter(Boolean)
      .join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        service: { type: 'string' },
        params: { type: 'object', description: 'As describe_service shows' },
        ...callArguments({ irreversible: !readOnly, selectsAccount: true }),
      },
      required: ['service'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: true,
      openWorldHint: true,
    },
    async run(args, context) {
      const action = await findService(bridge, String(args.service));
      if (!action) return unknownService(bridge, String(args.service));
      const params = isJsonObject(args.params) ? args.params : {};
      const problems = checkArguments(strictParams(action), params);
      if (problems.length > 0) {
        return { envelope: failedEnvelope(bridge, explainProblems(bridge, problems), action.id) };
      }
      const cap = bridge.settings.waitCapSeconds;
      return runService(bridge, readServiceCall(action, args, params, cap), context);
    },
  };
}
