/** The service's own tools, beside those of the actions. */
export const CORE_TOOLS = {
  accounts: 'changgu__accounts__list',
  search: 'changgu__actions__search',
  describe: 'changgu__actions__describe',
  run: 'changgu__actions__run',
  /** Reads a job. */
  jobResult: 'changgu__job__result',
} as const;

export const JOB_RESULT_TOOL = CORE_TOOLS.jobResult;

/** The name of an action's tool. */
export function toolNameOf(actionId: string): string {
  return actionId.replaceAll('.', '__');
}

/** The action of a tool, by its exact name: an action id is never a tool name. */
export function actionIdOf(toolName: string): string | null {
  return toolName.includes('.') ? null : toolName.replaceAll('__', '.');
}
