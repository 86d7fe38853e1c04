import type { Text } from '../action.ts';
import type { Language } from '../language.ts';

/** The credential that an institution rejected, as far as it is known. */
export interface RejectedCredential {
  /** Name of the institution. */
  readonly institution: Text | string;
  readonly accountLinkId: string;
  /** Name of the business on the link. */
  readonly owner?: string | null | undefined;
  /** Masked number of the bank account. */
  readonly account?: string | null | undefined;
  /** Origin of the service; left out where it has no console. */
  readonly origin?: string | undefined;
}

/** Which credential a person has to correct, and on which page. */
export function credentialAdvice(of: RejectedCredential, language: Language): string {
  const { accountLinkId: id, owner, account, origin } = of;
  const institution =
    typeof of.institution === 'string' ? of.institution : of.institution[language];
  const named = owner ? `${oneLine(owner)} (${id})` : id;
  const page = origin && `${origin.replace(/\/+$/, '')}/console/links/${encodeURIComponent(id)}`;
  if (language === 'ko') {
    const what = `대상: ${institution} 연결 ${named}${account ? `, 계좌 ${account}` : ''}.`;
    return page ? `${what} 콘솔에서 등록합니다: ${page}` : what;
  }
  const what = `It concerns the link ${named} of ${institution}${account ? `, account ${account}` : ''}.`;
  return page ? `${what} Register it in the console: ${page}` : what;
}

const MAX_OWNER_CHARACTERS = 60;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, MAX_OWNER_CHARACTERS);
}
