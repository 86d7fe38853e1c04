import type { Language } from '../language.ts';

/** What an act of the audit log is called. */
interface ActText {
  readonly ko: string;
  readonly en: string;
}

/**
 * Every act that the service records, by its name on the wire. Programs filter by the name; people read the text.
 * An older record may have another name.
 */
export const AUDIT_ACTS = {
  'account_link.link': { ko: '기관 연결 등록', en: 'Registered an account link' },
  'account_link.renew': { ko: '기관 연결 갱신', en: 'Renewed an account link' },
  'account_link.replace': { ko: '기관 인증 정보 교체', en: 'Replaced the credential of a link' },
  'account_link.select_assets': { ko: '연결 자산 선택', en: 'Selected the assets of a link' },
  'account_link.unlink': { ko: '기관 연결 해제', en: 'Removed an account link' },
  'account_link.update': { ko: '기관 연결 변경', en: 'Changed an account link' },
  'address.limit': { ko: '주소별 로그인 제한', en: 'Limited the logins from an address' },
  'admin.create': { ko: '운영자 등록', en: 'Created an operator' },
  'admin.remove': { ko: '운영자 삭제', en: 'Removed an operator' },
  'admin.token': { ko: '운영자 토큰 발급', en: "Issued an operator's token" },
  'app_credential.issue': { ko: '클라이언트 키 발급', en: 'Issued a client key' },
  'app_credential.refuse': { ko: '클라이언트 키 사용 거부', en: 'Refused a client key' },
  'app_credential.revoke': { ko: '클라이언트 키 폐기', en: 'Revoked a client key' },
  'app_credential.rotate': { ko: '클라이언트 시크릿 교체', en: 'Rotated a client secret' },
  'app_credential.use_from_new_address': {
    ko: '새 주소에서 클라이언트 키 사용',
    en: 'Used a client key from a new address',
  },
  'artifact.delete': { ko: '파일 삭제', en: 'Deleted a file' },
  'artifact.download': { ko: '파일 내려받기', en: 'Downloaded a file' },
  'bank_account.link': { ko: '계좌 등록', en: 'Registered a bank account' },
  'bank_account.replace': { ko: '계좌 비밀번호 교체', en: 'Replaced the password of an account' },
  'bank_account.set_default': { ko: '기본 계좌 지정', en: 'Set the default bank account' },
  'bank_account.unlink': { ko: '계좌 등록 삭제', en: 'Removed a bank account' },
  'consent.grant': { ko: '동의', en: 'Granted a consent' },
  'consent.revoke': { ko: '동의 철회', en: 'Revoked a consent' },
  'deletion.begin': { ko: '탈퇴 처리 시작', en: 'Began the deletion of an account' },
  'deletion.execute': { ko: '탈퇴 처리 완료', en: 'Completed the deletion of an account' },
  'deletion.request': { ko: '탈퇴 신청', en: 'Requested the deletion of an account' },
  'deletion.withdraw': { ko: '탈퇴 신청 철회', en: 'Withdrew a request for deletion' },
  'env_access.decide': { ko: '환경 사용 신청 심사', en: 'Decided on access to an environment' },
  'env_access.request': { ko: '환경 사용 신청', en: 'Requested access to an environment' },
  'factor.add': { ko: '2단계 인증 수단 등록', en: 'Added a second factor' },
  'factor.refuse': { ko: '2단계 인증 실패', en: 'Refused a second factor' },
  'factor.remove': { ko: '2단계 인증 수단 삭제', en: 'Removed a second factor' },
  'factor.renew_codes': { ko: '복구 코드 재발급', en: 'Renewed the recovery codes' },
  'factor.reset': { ko: '2단계 인증 해제', en: 'Reset the second factors' },
  'identity.pin': { ko: '로그인 제공자 연결', en: 'Connected an identity provider' },
  'identity.refuse': { ko: '로그인 제공자의 로그인 거부', en: 'Refused a login of a provider' },
  'identity.unpin': { ko: '로그인 제공자 연결 해제', en: 'Disconnected an identity provider' },
  'integrator.decide': { ko: '연동사 신청 심사', en: 'Decided on an integrator' },
  'integrator.mint': { ko: '연동사 키 발급', en: "Issued an integrator's key" },
  'integrator.submit': { ko: '연동사 신청', en: 'Applied as an integrator' },
  'invitation.create': { ko: '구성원 초대', en: 'Invited a member' },
  'invitation.revoke': { ko: '초대 취소', en: 'Revoked an invitation' },
  'invoice.draft': { ko: '청구서 초안 작성', en: 'Drafted an invoice' },
  'invoice.move': { ko: '청구서 상태 변경', en: 'Changed the status of an invoice' },
  'invoice.record': { ko: '청구서 등록', en: 'Recorded an invoice' },
  'job.cancel': { ko: '작업 취소', en: 'Canceled a job' },
  'job.submit': { ko: '작업 제출', en: 'Submitted a job' },
  'job.submit_all_accounts': { ko: '전체 계좌 작업 제출', en: 'Submitted jobs for all accounts' },
  'job.take_effect': { ko: '되돌릴 수 없는 단계 진입', en: 'Passed the point of no return' },
  'key.disable': { ko: '키 사용 중지', en: 'Disabled a key' },
  'key.enable': { ko: '키 사용 재개', en: 'Enabled a key' },
  'keys.retire': { ko: '암호화 키 폐기', en: 'Retired a key ring' },
  'keys.rotate': { ko: '암호화 키 교체', en: 'Rotated a key ring' },
  'keys.rotate_data': { ko: '데이터 키 교체', en: 'Rotated the data keys' },
  'keys.rotate_master': { ko: '마스터 키 교체', en: 'Rotated the master key' },
  'legacy_api_key.issue': { ko: 'API 키(구형) 발급', en: 'Issued a legacy API key' },
  'legacy_api_key.refuse': { ko: 'API 키(구형) 사용 거부', en: 'Refused a legacy API key' },
  'legacy_api_key.revoke': { ko: 'API 키(구형) 폐기', en: 'Revoked a legacy API key' },
  'legacy_api_key.rotate': { ko: 'API 키(구형) 교체', en: 'Rotated a legacy API key' },
  'legacy_api_key.use_from_new_address': {
    ko: '새 주소에서 API 키(구형) 사용',
    en: 'Used a legacy API key from a new address',
  },
  'login_domain.allow': { ko: '로그인 도메인 허용', en: 'Allowed a login domain' },
  'login_domain.disallow': { ko: '로그인 도메인 허용 해제', en: 'Disallowed a login domain' },
  'member.join': { ko: '구성원 참여', en: 'Joined as a member' },
  'member.leave': { ko: '조직 나가기', en: 'Left the organization' },
  'member.remove': { ko: '구성원 내보내기', en: 'Removed a member' },
  'member.set': { ko: '구성원 역할 지정', en: 'Set the role of a member' },
  'oauth_client.add': { ko: 'OAuth 앱 등록', en: 'Added an OAuth client' },
  'oauth_client.remove': { ko: 'OAuth 앱 삭제', en: 'Removed an OAuth client' },
  'oauth_grant.approve': { ko: 'OAuth 접근 승인', en: 'Approved an OAuth grant' },
  'oauth_grant.deny': { ko: 'OAuth 접근 거부', en: 'Denied an OAuth grant' },
  'oauth_grant.refresh': { ko: 'OAuth 토큰 갱신', en: 'Refreshed an OAuth token' },
  'oauth_grant.revoke': { ko: 'OAuth 접근 철회', en: 'Revoked an OAuth grant' },
  'offline_profile.replace': {
    ko: '세금계산서 수신처 변경',
    en: 'Changed who gets the tax invoices',
  },
  'organization.disable': { ko: '조직 사용 중지', en: 'Disabled an organization' },
  'organization.enable': { ko: '조직 사용 재개', en: 'Enabled an organization' },
  'organization.hand_over': { ko: '소유자 변경', en: 'Handed over the organization' },
  'organization.require_factor': {
    ko: '2단계 인증 의무 설정',
    en: 'Changed whether second factors are required',
  },
  'password.limit': { ko: '비밀번호 시도 제한', en: 'Limited the attempts at a password' },
  'password.refuse': { ko: '비밀번호 오류', en: 'Refused a password' },
  'payment_method.register': { ko: '결제 수단 등록', en: 'Registered a payment method' },
  'product.add_version': { ko: '상품 버전 추가', en: 'Added a version of a product' },
  'product.create': { ko: '상품 등록', en: 'Created a product' },
  'product.move_version': { ko: '상품 버전 상태 변경', en: 'Changed the status of a version' },
  'session.end': { ko: '로그인 종료', en: 'Ended a session' },
  'session.end_all': { ko: '모든 로그인 종료', en: 'Ended all sessions' },
  'subscription.expire': { ko: '구독 만료', en: 'Let a subscription expire' },
  'subscription.renew': { ko: '구독 갱신', en: 'Renewed a subscription' },
  'subscription.set': { ko: '구독 변경', en: 'Set a subscription' },
  'user.change_password': { ko: '비밀번호 변경', en: 'Changed a password' },
  'user.disable': { ko: '사용자 사용 중지', en: 'Disabled a user' },
  'user.enable': { ko: '사용자 사용 재개', en: 'Enabled a user' },
  'user.log_in': { ko: '로그인', en: 'Logged in' },
  'user.register': { ko: '사용자 가입', en: 'Registered a user' },
  'user.reset_link': { ko: '비밀번호 재설정 링크 발급', en: 'Issued a link to reset a password' },
  'user.reset_password': { ko: '비밀번호 재설정', en: 'Reset a password' },
  'user.verify_email': { ko: '이메일 확인', en: 'Verified an email address' },
  'webhook.create': { ko: '웹훅 등록', en: 'Created a webhook' },
  'webhook.delete': { ko: '웹훅 삭제', en: 'Deleted a webhook' },
  'webhook.disable': { ko: '웹훅 중지', en: 'Disabled a webhook' },
  'webhook.replay': { ko: '웹훅 재전송', en: 'Replayed a delivery' },
  'webhook.replay_range': { ko: '기간별 웹훅 재전송', en: 'Replayed the deliveries of a period' },
  'webhook.rotate': { ko: '웹훅 시크릿 교체', en: 'Rotated the secret of a webhook' },
  'webhook.test': { ko: '웹훅 시험 전송', en: 'Tested a webhook' },
  'webhook.update': { ko: '웹훅 변경', en: 'Changed a webhook' },
} as const satisfies Readonly<Record<string, ActText>>;

export type AuditAct = keyof typeof AUDIT_ACTS;

/** What people read for an act; a name that this version does not know stays as it is. */
export function auditActText(act: string, language: Language): string {
  return isAuditAct(act) ? AUDIT_ACTS[act][language] : act;
}

function isAuditAct(act: string): act is AuditAct {
  return Object.hasOwn(AUDIT_ACTS, act);
}
