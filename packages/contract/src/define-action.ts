import type { TObject } from 'typebox';
import type { ActionFacts, InstitutionFacts } from './action.ts';

export type { ActionFacts, InstitutionFacts, Text } from './action.ts';

/** One institution action, defined once. Everything else about the action is derived from this. */
export interface ActionDefinition extends ActionFacts {
  /** Known params; unknown names are accepted and passed on, so the object stays open. */
  readonly params: TObject;
  /** `result.data` outside sandbox. */
  readonly result: TObject;
}

type ActionInput<P extends TObject, R extends TObject> = Pick<
  ActionDefinition,
  'id' | 'title' | 'description' | 'toolName'
> &
  Partial<Omit<ActionFacts, 'provider'>> & { params: P; result: R };

/** An action with the usual defaults; its provider is the first segment of its id. */
export function defineAction<P extends TObject, R extends TObject>(
  action: ActionInput<P, R>,
): ActionDefinition & { readonly params: P; readonly result: R } {
  return {
    usageTokens: 1,
    irreversible: false,
    selectsAccount: false,
    link: 'required',
    needsSession: false,
    loginAction: null,
    timeoutSeconds: 120,
    encryptedFields: {},
    publicTool: true,
    file: null,
    taxPortal: null,
    ownerKind: null,
    ...action,
    provider: action.id.slice(0, action.id.indexOf('.')),
  };
}

export interface InstitutionDefinition extends InstitutionFacts {
  readonly actions: readonly ActionDefinition[];
}
