/** The tool that reads a job (spec L392, D134). */
export const JOB_RESULT_TOOL = 'changgu__job__result';

/** The name of an action's tool (spec "Tool protocol", R111). */
export function toolNameOf(actionId: string): string {
  return actionId.replaceAll('.', '__');
}

/** The action of a tool; a name that is none's gives an id that is none's. Action ids have no `__`. */
export function actionIdOf(toolName: string): string {
  return toolName.replaceAll('__', '.');
}
