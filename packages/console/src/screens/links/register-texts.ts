import { texts } from '../../app/texts.ts';

export const registerTexts = texts({
  ko: {
    title: '연결 등록',
    renew: '인증 정보 갱신',
    renewDo: '갱신',
    renewWhat:
      '같은 소유자의 인증 정보를 등록하면 저장된 값을 교체하고 정지된 연결을 다시 사용합니다. 소유자나 아이디가 다르면 새 연결이 만들어지고 이 연결은 그대로 남습니다.',
    renewConsentWhat:
      '같은 소유자로 다시 동의하십시오. 저장된 동의를 교체하며, 이 연결의 계좌와 선택한 항목은 그대로 남습니다.',
    institution: '기관',
    type: '인증 방식',
    label: '표시 이름',
    labelHint: '비워 두면 인증서나 로그인의 이름을 사용합니다.',
    primary: '이 기관의 대표 연결로 사용',
    purposeByServer: '기관 주소에 맞게 자동으로 정함',
    purposeHint:
      '실제 계정은 테스트 주소로, 테스트용 계정은 운영 주소로 전송되지 않습니다. 나중에 바꿀 수 없습니다.',
    files: '인증서 파일',
    filesHint:
      'signCert.der와 signPri.key, 또는 둘이 함께 든 .p12나 .pfx 파일을 여기에 끌어다 놓거나 선택하십시오.',
    certificate: '인증서 (signCert.der, .p12, .pfx)',
    key: '개인키 (signPri.key)',
    keyPassword: '인증서 비밀번호',
    encrypted:
      '이 브라우저에서 서버의 공개키로 암호화하며, 원래 값은 전송하거나 저장하지 않습니다.',
    loginId: '아이디',
    loginPassword: '비밀번호',
    business: '사업자등록번호',
    businessHint:
      '사업자 계좌의 거래를 조회할 때 은행이 요구합니다. 숫자 10자리이며, 개인은 비워 두십시오.',
    submit: '등록',
    missingFiles:
      '인증서와 개인키 파일이 필요합니다. .p12와 .pfx 파일에는 둘이 함께 들어 있습니다.',
    consentOpen: '기관의 동의 화면 열기',
    consentStart: '동의 화면 주소 만들기',
    consentAbout: '새 탭에서 동의한 뒤, 복귀 화면에 나온 두 값을 아래에 붙여 넣으십시오.',
    code: 'authorization_code',
    state: 'state',
  },
  en: {
    title: 'Register a link',
    renew: 'Renew the credential',
    renewDo: 'Renew',
    renewWhat:
      'A credential of the same owner replaces the stored one, and a suspended link works again. One of another owner or ID becomes a new link, and this one stays as it is.',
    renewConsentWhat:
      'Consent again as the same owner. The new consent replaces the stored one; the accounts and the selection of this link stay.',
    institution: 'Institution',
    type: 'Authentication',
    label: 'Display name',
    labelHint: 'Leave it empty to use the name in the certificate or login.',
    primary: 'Use as the primary link of this institution',
    purposeByServer: "By the institution's address",
    purposeHint:
      'A real account is never sent to a test address, nor a test account to a real one. It cannot be changed later.',
    files: 'Certificate files',
    filesHint:
      'Drop signCert.der and signPri.key here, or the .p12 or .pfx file that holds both, or choose them.',
    certificate: 'Certificate (signCert.der, .p12, .pfx)',
    key: 'Private key (signPri.key)',
    keyPassword: 'Certificate password',
    encrypted:
      'Encrypted in this browser with the public key of the server. The plain value is neither sent nor stored.',
    loginId: 'User ID',
    loginPassword: 'Password',
    business: 'Business registration number',
    businessHint:
      'Banks ask for it before they show the transactions of a business. Ten digits; leave it empty for a person.',
    submit: 'Register',
    missingFiles: 'The certificate and its key are needed. A .p12 or .pfx file holds both.',
    consentOpen: "Open the institution's consent screen",
    consentStart: 'Prepare the consent screen',
    consentAbout: 'Consent in the new tab, then paste the two values that its last page shows.',
    code: 'authorization_code',
    state: 'state',
  },
});
