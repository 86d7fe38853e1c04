import type { InstitutionListResponse, InstitutionRecord } from '@changgu/contract';
import { environment, language } from '../app/preferences.ts';
import { call } from './call.ts';
import { type Resource, useResource } from './use-resource.ts';

const SHARED_MS = 10_000;
let shared: { key: string; at: number; answer: Promise<InstitutionListResponse> } | undefined;

/** Several parts of a screen name institutions; one request serves them all. */
function readInstitutions(key: string): Promise<InstitutionListResponse> {
  if (shared?.key !== key || Date.now() - shared.at > SHARED_MS) {
    shared = { key, at: Date.now(), answer: call('listInstitutions') };
    shared.answer.catch(() => {
      shared = undefined;
    });
  }
  return shared.answer;
}

/** Every institution with its state in the chosen environment, named in the page's language. */
export function useInstitutions(options?: {
  readonly everyMs: number;
}): Resource<InstitutionListResponse> {
  const key = `${environment.value} ${language.value}`;
  return useResource(key, () => readInstitutions(key), options);
}

export function nameOf(
  institutions: readonly InstitutionRecord[] | undefined,
  provider: string,
): string {
  return institutions?.find((each) => each.provider === provider)?.name ?? provider;
}

export function actionNameOf(
  institutions: readonly InstitutionRecord[] | undefined,
  action: string,
): string {
  const actions = institutions?.flatMap((each) => each.actions) ?? [];
  return actions.find((each) => each.action === action)?.name ?? action;
}
