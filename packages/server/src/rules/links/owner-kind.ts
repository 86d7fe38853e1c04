/** Whose certificate a link was made with. */
export type OwnerKind = 'business' | 'individual';

/** Whether an action for owners of one kind takes a link; one that does not say whose it is may be of either. */
export function takesOwner(wanted: OwnerKind | null, owner: OwnerKind | null): boolean {
  return wanted === null || owner === null || owner === wanted;
}

/** Why a link of the other kind cannot be used for an action. */
export function wrongOwner(wanted: OwnerKind): { readonly ko: string; readonly en: string } {
  return wanted === 'business'
    ? {
        ko: '사업자만 신청할 수 있습니다. 사업자 인증서로 등록한 연결을 지정하십시오.',
        en: "Only businesses can apply for this. Name a link made with a business's certificate.",
      }
    : {
        ko: '개인만 신청할 수 있습니다. 개인 인증서로 등록한 연결을 지정하십시오.',
        en: "Only individuals can apply for this. Name a link made with a person's certificate.",
      };
}
