const KOREAN_MOBILE = /^01[016789]-?\d{3,4}-?\d{4}$/;

/** A Korean mobile number as E.164, `+8210…`; null for anything else. */
export function toE164(phone: string): string | null {
  if (!KOREAN_MOBILE.test(phone)) return null;
  return `+82${phone.replaceAll('-', '').slice(1)}`;
}
