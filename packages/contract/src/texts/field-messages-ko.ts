/** What the service says of a field, which the wire has in English only, and how it is said in Korean. */
const SENTENCES: Readonly<Record<string, string>> = {
  'Field required': '필수 항목입니다.',
  'The request took too long to arrive': '요청이 제시간에 도착하지 않았습니다.',
  'query is an alias of srch_txt and must not differ from it':
    'query는 srch_txt의 다른 이름이므로 값이 같아야 합니다.',
  'Extra inputs are not permitted': '없는 항목입니다.',
  'Input should be None': '값이 없어야 합니다.',
  'Input should have timezone info': '시간대가 있어야 합니다.',
  'Input should not hold a NUL character': 'NUL 문자는 사용할 수 없습니다.',
  'Control characters are not allowed': '제어 문자는 사용할 수 없습니다.',
  'A visible character is needed, and control characters are not allowed':
    '보이는 문자가 하나 이상 있어야 하고, 제어 문자는 사용할 수 없습니다.',
  'List should not have the same item twice': '같은 값을 두 번 넣을 수 없습니다.',
  'Invalid type': '형식이 올바르지 않습니다.',
  'Invalid value': '값이 올바르지 않습니다.',
  'The time must be in the future': '미래의 시각이어야 합니다.',
  'Input should be an absolute URL': '전체 URL이어야 합니다.',
  'The URL should begin with https://': 'URL은 https://로 시작해야 합니다.',
  'The URL must not hold a user or a password; messages are signed instead':
    'URL에 사용자 이름이나 비밀번호를 넣을 수 없습니다. 메시지는 서명으로 확인합니다.',
  'The URL must not hold a fragment': 'URL에 #으로 시작하는 부분을 넣을 수 없습니다.',
  'The host is a private address that this server may not call':
    '이 서버가 호출할 수 없는 내부 주소입니다.',
  'Value should be base64': 'base64여야 합니다.',
  'Strings should be valid Unicode': '올바른 유니코드 문자열이어야 합니다.',
  'Value should be FAILED, TIMEOUT or CANCELED, perhaps with ;code=<error code>':
    'FAILED, TIMEOUT, CANCELED 중 하나여야 하며, 뒤에 ;code=<오류 코드>를 붙일 수 있습니다.',
  'Sensitive values belong in encrypted_fields, not in params':
    '민감한 값은 params가 아니라 encrypted_fields로 보내야 합니다.',
  'Exactly one of cert_data, key_data and encrypted_pw; pkcs12_data and encrypted_pw; login_id and login_password; authorization_code and state is needed':
    '다음 중 정확히 하나가 필요합니다: cert_data·key_data·encrypted_pw, pkcs12_data·encrypted_pw, login_id·login_password, authorization_code·state',
  'Belongs to a certificate only': '인증서로 등록할 때만 보낼 수 있는 항목입니다.',
  'The provider has nothing that can be selected': '이 기관에는 선택할 수 있는 자산이 없습니다.',
  'The cursor does not belong to this query': '이 조회의 커서가 아닙니다.',
  'Input should be an IP address or a range in CIDR notation': 'IP 주소 또는 CIDR 범위여야 합니다.',
  'There is no such provider': '없는 기관입니다.',
  'Unknown provider': '없는 기관입니다.',
  'The provider is not registered': '등록되지 않은 기관입니다.',
  'The provider has no such action': '이 기관에 없는 업무입니다.',
  'The action belongs to another provider': '다른 기관의 업무입니다.',
  'The link should be of a business': '사업자의 연결이어야 합니다.',
  'The link should be of an individual': '개인의 연결이어야 합니다.',
  'The link does not rest on a consent': '동의로 등록한 연결이 아닙니다.',
  'The consent is for a link of the other purpose': '다른 용도의 연결을 위한 동의입니다.',
  'There is no such action': '없는 업무입니다.',
  'Accounts are chosen by bank_account_credential_ids beside params':
    '계좌는 params가 아니라 bank_account_credential_ids로 지정합니다.',
  'Several accounts are chosen beside the params of an all-accounts call':
    '여러 계좌는 전체 계좌 호출에서 params 밖의 bank_account_credential_ids로 지정합니다.',
  'The action does not select an account': '계좌를 선택하는 업무가 아닙니다.',
  'X-Env-Scope and env_scope differ': 'X-Env-Scope와 env_scope가 서로 다릅니다.',
  'The header was sent more than once': '헤더가 여러 번 지정되었습니다.',
  'Only ASCII characters are allowed': 'ASCII 문자만 사용할 수 있습니다.',
  'Invalid UTF-8': '올바른 UTF-8이 아닙니다.',
  'Invalid JSON': '올바른 JSON이 아닙니다.',
  'Unable to parse input string as an integer, exceeded maximum size':
    '정수로 읽을 수 없을 만큼 큰 값입니다.',
  'Input should be a next_cursor or an event_id': 'next_cursor 또는 event_id여야 합니다.',
  'The end of the range must be after its beginning': '끝 시각은 시작 시각보다 뒤여야 합니다.',
  'Not an encrypted field of this action': '이 업무의 암호화 필드가 아닙니다.',
  'The decrypted value should be 8 to 16 digits': '복호화한 값은 숫자 8~16자리여야 합니다.',
  'The decrypted value should be 4 digits': '복호화한 값은 숫자 4자리여야 합니다.',
  'The decrypted value is not JSON': '복호화한 값이 JSON이 아닙니다.',
  'The decrypted value holds itself': '복호화한 값이 자기 자신을 포함합니다.',
  'The decrypted value is empty': '복호화한 값이 비어 있습니다.',
  'This provider has no consent flow': '동의 방식으로 연결하는 기관이 아닙니다.',
  'Value is not a business number': '사업자등록번호가 아닙니다.',
  'Value is not a Korean mobile number': '휴대전화 번호가 아닙니다.',
  'Input should be a business number': '사업자등록번호여야 합니다.',
  'Input should be an email address': '이메일 주소여야 합니다.',
  'Input should be a month YYYYMM that is over in Korea':
    '한국 시간으로 지난 달(YYYYMM)이어야 합니다.',
  'A hint must not decide a policy': '힌트로 정책을 정할 수 없습니다.',
  'The proof is not that of the customer key': 'session_proof가 customer_key와 맞지 않습니다.',
  'The session has expired; open another one': '세션이 만료되었습니다. 다시 여십시오.',
  'The key is unknown, used, expired or from another session':
    '없거나 이미 사용했거나 만료되었거나 다른 세션의 키입니다.',
  'The body does not match Content-Length': '본문의 길이가 Content-Length와 다릅니다.',
  'The path is not valid': '경로가 올바르지 않습니다.',
  'The request ended early': '요청이 중간에 끊겼습니다.',
  'The headers are too large': '헤더가 너무 큽니다.',
  'The request is not valid HTTP': '올바른 HTTP 요청이 아닙니다.',
};

const TYPES: Readonly<Record<string, string>> = {
  string: '문자열',
  integer: '정수',
  number: '숫자',
  boolean: 'true 또는 false',
  dictionary: 'JSON 객체',
  object: 'JSON 객체',
  list: '목록',
  array: '목록',
  UUID: 'UUID',
  datetime: 'ISO-8601 시각',
};

const korean = (types: string) =>
  types
    .split(' or ')
    .map((type) => TYPES[type] ?? type)
    .join(', ');
const listed = (values: string) => values.replaceAll(/, | or /g, ', ').replaceAll("'", '');

/** Sentences with a value, the special ones first. */
const PATTERNS: readonly (readonly [RegExp, (value: string, other: string) => string])[] = [
  [/^String should have at least (\d+) characters?$/, (n) => `${n}자 이상이어야 합니다.`],
  [/^String should have at most (\d+) characters?$/, (n) => `${n}자 이하여야 합니다.`],
  [/^Dictionary should have at least (\d+) items?$/, (n) => `항목이 ${n}개 이상이어야 합니다.`],
  [/^List should have at least (\d+) items?$/, (n) => `${n}개 이상이어야 합니다.`],
  [/^List should have at most (\d+) items?$/, (n) => `${n}개 이하여야 합니다.`],
  [/^Input should be greater than or equal to (.+)$/, (n) => `${n} 이상이어야 합니다.`],
  [/^Input should be less than or equal to (.+)$/, (n) => `${n} 이하여야 합니다.`],
  [/^String should match pattern '(.+)'$/, (form) => `다음 형식이어야 합니다: ${form}`],
  [/^Input should be a valid (.+)$/, (types) => `다음 형식이어야 합니다: ${korean(types)}`],
  [/^Input should be one or more of (.+)$/, (all) => `다음 중 하나 이상이어야 합니다: ${all}`],
  [/^Input should be one of (.+)$/, (all) => `다음 중 하나여야 합니다: ${all}`],
  [
    /^Input should have at most (\d+) bytes as JSON$/,
    (n) => `JSON으로 ${n}바이트 이하여야 합니다.`,
  ],
  [/^The hint should have at most (\d+) bytes/, (n) => `JSON으로 ${n}바이트 이하여야 합니다.`],
  [/^Input should be (.+)$/, (all) => `다음 중 하나여야 합니다: ${listed(all)}`],
  [/^Value is not a (?:valid )?(.+)$/, (what) => `올바른 값이 아닙니다: ${what}`],
  [/^Value should be (.+)$/, (what) => `다음 값이어야 합니다: ${what}`],
  [/^There is no such action; did you mean (.+)\?$/, (id) => `없는 업무입니다. 혹시 ${id}입니까?`],
  [/^An item of kind (\S+) has no period$/, (kind) => `${kind} 항목에는 기간이 없습니다.`],
  [/^(\S+) is linked by (.+)$/, (id, kinds) => `${id}의 연결 방식: ${kinds}`],
  [/^(\S+) and (\S+) cannot be sent together$/, (a, b) => `${a}, ${b}는 함께 보낼 수 없습니다.`],
  [/^(\S+) is not a day of the calendar$/, (name) => `${name}: 달력에 없는 날짜입니다.`],
  [/^(\S+) must not be before (\S+)$/, (a, b) => `${a}은(는) ${b}보다 빠를 수 없습니다.`],
  [/^At most (\d+) months can be/, (n) => `한 번에 최대 ${n}개월을 조회할 수 있습니다.`],
  [/^At most (\d+) days can be/, (n) => `한 번에 최대 ${n}일을 조회할 수 있습니다.`],
  [/^Invalid JSON at position (\d+)$/, (at) => `올바른 JSON이 아닙니다(${at}번째 문자).`],
  [/^The name (.+) is not allowed$/, (name) => `사용할 수 없는 이름입니다: ${name}`],
  [/^Nesting is limited to (\d+) levels$/, (n) => `중첩은 ${n}단계까지 허용됩니다.`],
  [/^At most (\d+) bytes of JSON are allowed$/, (n) => `JSON으로 ${n}바이트까지 허용됩니다.`],
  [/^At most (\d+)(?: .+)? are allowed$/, (n) => `${n}개까지 허용됩니다.`],
  [
    /^All values together should have at most (\d+) RSA pieces$/,
    (n) => `모든 값을 합하여 RSA 조각 ${n}개 이하여야 합니다.`,
  ],
];

/** A sentence that is not known, of a later service, stays as it is. */
export function fieldMessageKo(said: string): string {
  const message = said.replace(/^Value error, /, '');
  const whole = Object.hasOwn(SENTENCES, message) ? SENTENCES[message] : undefined;
  if (whole !== undefined) return whole;
  for (const [pattern, say] of PATTERNS) {
    const [, value = '', other = ''] = pattern.exec(message) ?? [];
    if (value !== '') return say(value, other);
  }
  return said;
}
