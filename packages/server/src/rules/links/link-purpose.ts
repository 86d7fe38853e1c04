import type { EnvScope } from '@changgu/contract';
import type { LinkPurpose } from '@changgu/contract/schemas';

/** The address of one institution; null when the server has none. */
export interface InstitutionOrigins {
  readonly production: string | null;
  readonly realTest: string | null;
}

/**
 * The purpose of the links that an environment uses; null in sandbox, which contacts no institution. A production
 * login must never reach a test address.
 */
export function purposeOf(envScope: EnvScope, origins: InstitutionOrigins): LinkPurpose | null {
  switch (envScope) {
    case 'sandbox':
      return null;
    case 'production':
      return 'real';
    case 'real_test':
      return sharesOrigin(origins) ? 'real' : 'test';
  }
}

/**
 * The environment at whose address a consent of this purpose is given. Null for one for tests where the test address
 * is production's: no environment would use it.
 */
export function scopeOfPurpose(
  purpose: LinkPurpose,
  origins: InstitutionOrigins,
): Exclude<EnvScope, 'sandbox'> | null {
  if (purpose === 'real') return 'production';
  return sharesOrigin(origins) ? null : 'real_test';
}

/** Whether both environments share a site, in which case one login session serves both. */
export function sharesOrigin({ production, realTest }: InstitutionOrigins): boolean {
  return production !== null && production === realTest;
}

/** The environments that reach the same site as this one, itself included. */
export function scopesOfSite<Scope extends Exclude<EnvScope, 'sandbox'>>(
  envScope: Scope,
  origins: InstitutionOrigins,
): readonly (Scope | 'real_test' | 'production')[] {
  return sharesOrigin(origins) ? ['production', 'real_test'] : [envScope];
}

/** The environment whose lane and login session a job uses: production's if both share a site. */
export function laneScope<Scope extends EnvScope>(
  envScope: Scope,
  origins: InstitutionOrigins,
): Scope | 'production' {
  return envScope === 'real_test' && sharesOrigin(origins) ? 'production' : envScope;
}

/** The default purpose of a new link. */
export function defaultPurpose({ production }: InstitutionOrigins): LinkPurpose {
  return production === null ? 'test' : 'real';
}

/**
 * Whether a link of this purpose can be used where the other is required. Links from before purposes existed
 * have none until the server has started.
 */
export function serves(purpose: LinkPurpose | null, wanted: LinkPurpose | null): boolean {
  return wanted === null || purpose === null || purpose === wanted;
}

/** Why an existing link cannot be used in an environment. */
export function wrongPurpose(wanted: LinkPurpose): { readonly ko: string; readonly en: string } {
  return wanted === 'real'
    ? {
        ko: '이 환경에서는 실제 계정의 연결만 사용할 수 있습니다. 지정한 연결은 테스트용입니다.',
        en: 'This environment takes links of real accounts only; the link is for tests.',
      }
    : {
        ko: '이 환경에서는 테스트용 연결만 사용할 수 있습니다. 지정한 연결은 실제 계정의 연결입니다.',
        en: "This environment takes test links only; the link is a real account's.",
      };
}
