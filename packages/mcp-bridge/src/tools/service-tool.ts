import { type CatalogueAction, portableParams } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { runService } from '../run/run-service.ts';
import { RESERVED_NAMES, readServiceCall } from '../run/service-call.ts';
import { callArguments } from './call-arguments.ts';
import type { Annotations, Tool } from './tool.ts';

/** A tool that calls one action directly. */
export function serviceTool(bridge: Bridge, action: CatalogueAction): Tool {
  const { required } = action.params;
  return {
    name: action.toolName,
    title: action.title.ko,
    description: descriptionOf(action),
    inputSchema: {
      type: 'object',
      properties: { ...portableParams(action.params), ...callArguments(action) },
      ...(required?.length ? { required } : {}),
      additionalProperties: false,
    },
    annotations: annotationsOf(action, bridge.offering.now.logins),
    run(args, context) {
      const params = Object.fromEntries(
        Object.entries(args).filter(([name]) => !RESERVED_NAMES.some((own) => own === name)),
      );
      const call = readServiceCall(action, args, params, bridge.settings.waitCapSeconds);
      return runService(bridge, call, context);
    },
  };
}

function descriptionOf({
  title,
  description,
  irreversible,
  usageTokens,
  loginAction,
}: CatalogueAction) {
  return [
    `${title.en}. ${description.en}`,
    irreversible ? 'Cannot be undone: asks the person to confirm first.' : '',
    loginAction === null ? '' : 'Needs a login session.',
    usageTokens === 1 ? '' : `Costs ${usageTokens} usage tokens.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** A login changes only our own session: it destroys nothing, but is not read-only. */
function annotationsOf(
  { irreversible, id }: CatalogueAction,
  logins: ReadonlySet<string>,
): Annotations {
  return {
    readOnlyHint: !irreversible && !logins.has(id),
    destructiveHint: irreversible,
    idempotentHint: true,
    openWorldHint: true,
  };
}
