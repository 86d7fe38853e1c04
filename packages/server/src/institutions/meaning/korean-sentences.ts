import type { PortalMeaning, PortalPhase } from './portal-meaning.ts';

interface Pattern {
  readonly meaning: PortalMeaning;
  readonly pattern: RegExp;
  /** Read only in the answer to a login, or only elsewhere; default: everywhere. */
  readonly at?: 'login' | 'elsewhere';
  /** Not read in a warning. */
  readonly stated?: true;
  /** Not read in sentences like these. */
  readonly unless?: RegExp;
}

/** No real sentence is longer; patterns are not matched against a hostile page. */
export const MAX_READ = 1_000;

/**
 * Portals write the same sentence with and without spaces, in full-width letters and with different polite
 * endings, so patterns are matched against the letters alone.
 */
function lettersOf(sentence: string): string {
  const letters = sentence.slice(0, MAX_READ).normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return letters.slice(0, MAX_READ);
}

/** "After five wrong attempts the service will be locked" is a warning; it does not mean that it is locked. */
const WARNING =
  /(?<![^.!?※])[^.!?※]*(?:오류|입력|틀리|틀릴|실패|초과)(?:하?시[,에]?|하?시면|하면|되면|할경우|하실경우|하는경우|될경우|시에는|시엔|시)(?=[^.!?]*(?:제한|정지|중지|잠[기금김깁]|차단))[^.!?]*[.!?]?/g;

/** A sentence about everyone's service, or about where a request came from. It says nothing about an account. */
const FOR_ALL =
  /(?<![^.!?※])[^.!?※]*(?:점검|장애(?!인)|작업|개편|이관|야간|심야|휴일|연휴|주말|폭주|혼잡|집중|많아|비정상|(?<![a-z])ip(?![a-z])|아이피|해외|국외|브라우저|매크로|자동화)[^.!?※]*/g;

const ATTEMPTS = String.raw`(?:\d+|[세네다]섯?|연속)(?:회|번)`;

const PASSWORD = '(?:비밀번호|패스워드|암호(?!화)|pin번호)(?!format|형식|.{0,2}암호화)';

/** The words that call it wrong, but not where they are part of a condition: "if you enter a wrong password". */
const IS_WRONG =
  '(?:일[치지]하지|일치되지|불일치|틀리|틀렸|틀립|맞지|다릅|다르|상이|잘못(?!된(?:접근|경로))|올바르지|정확하지|오류(?:입니|입력|횟수[는가:]|\\d|:|\\())(?![^.!?※]{0,10}(?:경우|때|하면|시면))';

/** Ends in the words that say it has already happened. */
const HALTED =
  '(?:이|가|은|는)?(?:일시)?(?:제한|정지|중지|차단)(?:된|되어|되었|되셨|상태|중인|중입|하였|처리)';
const USE_HALTED = `(?:이용|사용|거래|로그인|접속|출금|조회)${HALTED}`;

/** Whose use it is, or the mistakes after which it was taken away. */
const OWN = `(?:계정|계좌|아이디|(?<![a-z])id(?![a-z])|고객(?!센[터타]|지원|상담|여러분)|회원|이용자|사용자|카드(?!사)|(?:로그인|입력|인증)(?:오류|실패)|(?:오류|실패)(?:횟수|회수)|${PASSWORD}[^.!?※]{0,8}(?:오류|실패|틀|잘못))`;

/** An invitation. It says nothing about why the portal showed it. */
const LOG_IN_AGAIN = /로그인(?:을)?(?:후|하신후|하셔야|하여야|해야|한후)|(?:다시|재)로그인/;

/** The first match wins; meanings that are dangerous to miss come first. */
const PATTERNS: readonly Pattern[] = [
  {
    meaning: 'locked',
    stated: true,
    pattern: new RegExp(
      [
        `(?:오류|실패|입력|시도)(?:횟수|회수).{0,10}초과`,
        `${ATTEMPTS}(?:이상|연속|모두)*(?:의)?(?:오류|실패|잘못|틀).{0,16}(?:제한|정지|중지|잠|차단|없습니다)`,
        `${ATTEMPTS}(?:이상|연속|모두)*(?:의)?(?:오류|실패)(?:로|되어|이므로|입니다\\.영업점|상태)`,
        `(?:오류|실패)${ATTEMPTS}(?:이상|연속)?(?:로|되어|이므로|초과).{0,24}(?:제한|정지|중지|잠|차단|없습니다|불가)`,
        `${ATTEMPTS}이상(?:의)?오류(?!시|하|발생)`,
        '오류초과',
        '잠겼|잠긴|잠김|잠겨|잠금(?:상태|처리|되|설정|이)',
        `(?:계정|계좌|아이디|id)${HALTED}`,
        '지급정지|거래중지(?:좌|계좌)|법적제한',
        '휴면|장기(?:간)?미(?:사용|접속|이용|로그인)(?:으로|고객|계정|회원|이용자)',
        '해지된(?:고객|이용자|회원|아이디|id)|탈퇴(?:한|된|하신)',
        '사고(?:신고|등록|계좌)|분실신고|실종신고|(?:분실|도난).{0,3}(?:계좌|카드)|분실도난|도난/분실',
      ].join('|'),
    ),
  },
  // Portals say the same of a service that rests. Taken for a lock, it would cost every customer the credential.
  {
    meaning: 'locked',
    stated: true,
    unless: FOR_ALL,
    pattern: new RegExp(
      `${OWN}[^.!?※]{0,60}${USE_HALTED}|${USE_HALTED}[^.!?※]{0,4}${OWN}|(?:사용|거래|이용)정지|거래중지된|거래제한(?:$|된|계좌)`,
    ),
  },
  {
    meaning: 'locked',
    at: 'login',
    stated: true,
    unless: FOR_ALL,
    pattern: new RegExp(`(?<!서비스)(?:이용|사용|로그인)(?!.{0,3}중지)${HALTED}`),
  },
  // Whatever else the sentence says: each further try brings the account closer to its lock.
  {
    meaning: 'wrong_credential',
    at: 'login',
    stated: true,
    pattern: new RegExp(
      `(?:${PASSWORD}[^.!?※]{0,14}|(?:아이디|(?<![a-z])id(?![a-z]))[^.!?※]{0,4})${IS_WRONG}|${PASSWORD}.{0,4}${ATTEMPTS}(?:째)?오류(?:입니|가|\\.)`,
    ),
  },
  {
    meaning: 'throttled',
    pattern:
      /(?:반복|과도|과다|너무많은|너무자주|짧은시간|단시간|단기간|연속)(?:적인|적으로|한|하게|에|으로)?.{0,12}(?:호출|요청|조회|접속|접근|시도)|(?:요청|조회|접속|호출)(?:횟수|건수|한도)(?:를|가|이)?.{0,10}초과|(?:요청|접속|이용자|조회)(?:량|건수)?(?:이|가)?(?:너무|지나치게)(?:많|잦)|비정상(?:적인)?(?:접근|접속|요청)[^.!?※]{0,8}(?:감지|탐지|차단)|자동화(?:된)?(?:프로그램|접근|도구)|매크로|requestblocked|toomanyrequests/,
  },
  {
    meaning: 'maintenance',
    pattern: new RegExp(
      [
        '점검(?:중|시간|으로|작업|관계|안내|에따|을위|이진행|일정|기간)',
        '(?:시스템|전산|서버|전환|개선|개편|이관|통합|교체|정산)작업(?:중|으로|을|관계|시간|에)',
        '(?:서비스|이용|거래|조회|업무|접수|발급|영업)(?:이용)?(?:가능)?(?:한)?시간.{0,12}(?:아닙|아님|아니|지났|종료|이후|외에|외입|마감|경과)',
        '(?:서비스|이용|거래|조회|업무|접수|발급)(?:이|가)?가능(?:한)?시간',
        '(?:중지|중단|마감)시간|마감후.{0,6}불가',
        '(?:업무|영업|중계센[터타])(?:가|이)?종료|개시(?:이)?전|개시되지않|휴일임',
        '(?:업무|영업)시간(?:외|이후|중에만|내에만)',
        '(?:휴일|공휴일|주말|토요일|일요일|야간|심야).{0,28}(?:제한|중지|중단|불가|없습니다|않습니다)',
        '서비스(?:이용|제공)?(?:이|가|을|를)?(?:일시|잠정|임시)?(?:적으로)?(?:중지|중단)',
        '마감(?:되었|처리되|된업무)',
      ].join('|'),
    ),
  },
  {
    meaning: 'unusable_certificate',
    pattern: new RegExp(
      [
        '인증서.{0,20}(?:만료|유효기간|유효하지|폐기|효력|정지된|갱신|재발급|등록되(?:지|어있지)|등록(?:후|하시|하신|하여|해야|을먼저|바랍)|미등록|찾을수없|존재하지|사용할수없|사용하실수없|일치하지|신뢰할수없|다릅니다|아닙니다)',
        '인증서(?:로|로는|은|는).{0,12}(?:수없|불가|아닙니다)',
        '(?:만료된|폐기된|정지된|신뢰할수없는|유효하지않은|사용할수없는)(?:.{0,8})인증서|유효기간(?:이)?(?:지난|만료|경과).{0,10}인증서',
        '(?:미등록|등록되지않은)(?:공동|공인|금융|타기관|타행)?인증서',
        '인증서서명오류|전자서명검증에러',
        '(?:전자)?서명(?:값|데이[터타])?.{0,14}(?:검증에실패|검증실패|일치하지|올바르지|유효하지)',
      ].join('|'),
    ),
  },
  {
    meaning: 'session_over',
    pattern: new RegExp(
      [
        '세션.{0,14}(?:만료|종료|끊|없|유효하지|초과|해제|중단)',
        '로그인(?:유지)?(?:시간|상태)(?:이|가)?.{0,6}(?:만료|종료|해제|초과)',
        '(?:다른|타)(?:기기|곳|pc|컴퓨터|장소|브라우저|단말|사용자).{0,16}(?:로그인|접속)',
        '(?:중복|이중|동시)(?:로그인|접속)',
        '(?:접속|연결|로그인|이용)(?:이|가|을)?(?:종료|해제|끊)(?:되었|됩|처리|어졌)|로그아웃(?:되|처리|상태)|자동로그아웃',
        '(?:장시간|오랫동안|일정시간|\\d+분).{0,14}(?:사용하지|미사용|이용하지|이용이없|사용이없|거래가없|입력이없)',
        '로그인(?:이|을|정보가)?(?:필요|되어있지않|하지않|풀렸|없습니다)',
      ].join('|'),
    ),
  },
  { meaning: 'session_over', at: 'elsewhere', pattern: LOG_IN_AGAIN },
  {
    meaning: 'already_logged_in',
    pattern:
      /이미(?:로그인|접속)(?:된|되어|중|한|하신)|현재(?:로그인|접속)중인|기존(?:접속|로그인|연결).{0,10}종료/,
  },
  {
    meaning: 'page_expired',
    pattern:
      /로그인유효시간|비정상적인(?:접근|접속|요청)|잘못된접근|올바르지않은접근|정상적인(?:접근|경로|방법)|화면(?:이|의)?유효|토큰.{0,8}(?:만료|유효하지|일치하지|오류)|이전화면.{0,12}(?:유효|만료)/,
  },
  // "[인증실패] 이용자가 많아서 …" is about the crowd, not about the credential.
  { meaning: 'unavailable', pattern: /(?:접속|이용|사용)자(?:가|수가)?.{0,6}(?:많|폭주|집중|몰)/ },
  {
    meaning: 'wrong_credential',
    pattern: new RegExp(
      [
        `${PASSWORD}.{0,14}(?:일[치지]하지|일치되지|불일치|상위|찾을수없|틀리|틀렸|틀립|맞지|다릅|다르|상이|잘못|올바르지|정확하지|확인(?:하|해|바|후)|오류(?:입|횟수|가|\\d|:|\\())`,
        `(?:비밀번호|패스워드|암호|로그인|인증).{0,10}${ATTEMPTS}(?:째)?(?:오류|실패|틀)`,
        `(?:오류|실패)(?:횟수|회수)(?:는|:|가)?(?:현재)?${ATTEMPTS}|현재${ATTEMPTS}(?:오류|실패)`,
        '(?:가입|등록)(?:되지않은|되어있지않은)(?:아이디|id|이용자|사용자)',
        '(?:아이디|id|이용자|사용자|회원|고객|가입자)(?:번호|정보|id|아이디)?.{0,12}(?:존재하지|없는|없습니다|찾을수없|일치하지|불일치|틀|맞지|올바르지|정확하지|확인(?:하|해|바|후))',
        '(?:로그인|인증|접속)(?:에|이|을)?(?:실패|거부)|잘못입력.{0,6}\\(비밀번호\\)',
        '(?:로그인|접속)정보.{0,4}(?:올바르지|정확하지)|자료와일치하지',
        '(?:로그인|인증|계좌|본인확인|고객|회원|이용자|사용자|예금주|예금주명|명의인?)(?:정보)?.{0,8}(?:일치하지|불일치|상이|다릅|맞지)',
        '(?:주민|사업자|실명)(?:등록)?번호오류|비밀번호오류$',
        '(?:주민|사업자|실명|법인|생년월일|식별)(?:등록)?(?:확인)?(?:번호|월일)?.{0,20}(?:일치하지|불일치|상이|다릅|맞지|틀)',
      ].join('|'),
    ),
  },
  {
    meaning: 'captcha',
    pattern: /자동(?:입력|등록|가입)방지|(?:방지|보안)문자(?!메시지)|캡차|captcha/,
  },
  {
    meaning: 'owner_must_act',
    pattern: new RegExp(
      [
        '(?:비밀번호|패스워드|암호).{0,10}(?:변경|재설정|재등록|초기화|신규등록)',
        '임시비밀번호|비밀번호.{0,6}(?:만료|미등록|등록바랍)|비밀번호미등록',
        '(?:추가|본인|2차|이중|2단계|간편|휴대폰|전화|공동)(?:본인)?인증(?:이|을|절차|서비스|후).{0,14}(?:필요|하여|하셔|진행|완료|이용|거치)',
        '본인(?:확인|인증)후|실명확인을하',
        '본인확인(?:이|을|절차)(?:필요|진행|거|완료|하)',
        '(?:기기|단말기?|pc|디바이스)(?:를|을|가|이)?(?:등록|지정|미등록|지정되지|등록되지)',
        '(?:지정|등록)(?:된)?(?:pc|기기|단말)',
        '(?:약관|이용약관|개인정보).{0,16}동의',
        'activex',
        '보안(?:프로그램|모듈|카드|매체).{0,14}(?:설치|입력|등록|필요)|otp|일회용비밀번호',
        '고객(?:정보|확인).{0,10}(?:재확인|갱신|변경|등록)(?:대상|이필요|후|하)',
        '(?:영업점|지점|창구|세무서|지사)(?:을|를|에|으로)?(?:직접)?(?:방문|내방)',
      ].join('|'),
    ),
  },
  {
    meaning: 'not_a_member',
    pattern:
      /(?:회원|이용자|사용자|서비스|인터넷뱅킹|전자민원|사업장|edi)(?:으로|이|가|을|로|에)?(?:가입|신청|등록)(?:이|을|후|하신|하셔|하여|하지|되어있지|되지|부터|된정보가없)|미가입|비회원|회원이아닙|가입이?되어있지|서비스미등록|미등록(?:된)?(?:회원|사용자|이용자|사업장|고객)|이용신청(?:이|을|후|되)|가입(?:신청)?후(?:이용|사용)/,
  },
  {
    meaning: 'nothing_found',
    pattern:
      /(?!해당(?:하는|되는)?계좌)(?:조회|검색|해당|등록|거래|신청|제출|발급|처리|보유|접수|수신|매출|매입|신고|납부)(?:된|되는|하신|하는|한|기간의|기간에|조건의|가능한|할)?(?:된|가능한)?(?:결과|내역|기록|자료|데이터|내용|정보|건|계좌|목록|거래|명세서?|이력|문서)?(?:가|이|은|는)?(?:존재하지않|없습니다|없음|없어요|없습니다)|(?:데이터|자료|내역|내용|이력)(?:가|이|은|는)?(?:없|존재하지)/,
  },
  {
    meaning: 'unavailable',
    pattern:
      /(?:접속|이용|사용)자(?:가|수가)?.{0,6}(?:많|폭주|집중|몰)|폭주|과부하|혼잡|대기(?:인원|자수|순번|하고)|일시적(?:인|으로)|(?:잠시|나중에|조금)(?:만)?(?:후|뒤)?(?:에)?다시|응답(?:이|시간)?.{0,6}(?:없|지연|초과)|무응답|응답대기|지연응답|장애(?:$|중|입|로|\.)|db반영|(?:통신|송신|수신|송수신)(?:오류|장애|실패|에러|이상|중오류|상태)|(?:시스템|서버|전산|네트워크|데이터베이스|db)(?:에|의|내부)?(?:오류|장애|에러|이상)|(?:처리|실행|조회|수행|연계|검증)(?:도)?중(?:에)?.{0,8}(?:오류|에러|장애|문제)|내부(?:오류|에러)|예기치(?:못한|않은)|알수없는오류|타임아웃|(?:처리|요청|응답)시간(?:이)?초과|조회에실패|서비스(?:를)?(?:이용|제공)(?:이)?(?:할수없|불가)|원활하지|지연되고/,
  },
  { meaning: 'session_over', at: 'login', pattern: LOG_IN_AGAIN },
  {
    meaning: 'page_missing',
    pattern:
      /페이지(?:를|가)?.{0,12}(?:찾을수없|존재하지|없습니다|삭제|변경되었)|주소(?:가|를)?.{0,10}(?:잘못|변경|존재하지)|(?:notfound)/,
  },
  {
    meaning: 'rejected_input',
    pattern: new RegExp(
      [
        '(?:기간|일자|날짜|년도|연도|분기|귀속|시작일|종료일|조회월|년월).{0,24}(?:초과|올바르지|잘못|확인|이내|이전|이후|까지|선택|벗어|없습니다|불가|입력|가능|지정|늦|빠|경과)',
        '(?:입력|선택|기재|첨부|작성|지정|체크)(?:하여|해|하시|하십|하세|하셔|바랍|되지|값|오류|항목|하지|이필요)',
        '(?:이내|이전|이후|까지)(?:의)?.{0,10}(?:만|조회|가능)',
        '만(?:이)?(?:신청|발급|조회|이용|제출|선택)(?:이가능|할수있|하실수있)',
        '(?:format|형식|유효성|일자가|계좌번호)오류|계좌번호상위|(?:해지|해약|폐쇄|폐기)(?:된)?계좌|미등록계좌|비실명|창구거래만',
        '필수(?:항목|입력|값|사항)|누락|형식(?:이|에|을)|(?:자리|글자|자)(?:로|이내|이상|이하|를)',
        '(?:잘못된|올바르지않은|유효하지않은|존재하지않는|없는|등록되지않은|부정확한|지원하지않는)(?!접근|페이지|경로|화면|인증|세션)',
        '(?:올바르지|유효하지|정확하지|적합하지|존재하지|허용되지|지원하지|해당(?:되지|하지))않',
        '(?:대상|자격|권한|요건|해당)(?:이|자가|사업자가|이력이|조건에|사항이)?.{0,6}(?:아닙|아니|없|않|부족|미달)',
        '(?:발급|신청|제출|조회|처리|이용|접수|출력|진행|재발급)(?:이|가|을|를|할|하실|은|는)?(?:수없|불가|제한|거절|반려)',
        '이미.{0,10}(?:신청|처리|발급|제출|접수|등록|완료)',
        '(?:계좌|번호|코드|사업자|금액|건수|매수|부수)(?:번호)?(?:가|이|는|를|을)?.{0,14}(?:아닙|다릅|확인|초과|범위|맞지)',
        '체납|미납|미제출|폐업(?:한|된|자)|휴업(?:중|자)',
      ].join('|'),
    ),
  },
];

/**
 * The most likely meaning of a portal's sentence; null for an unknown one. In the answer to a login, a wrong password
 * counts more than what else the sentence says.
 */
export function meaningOf(sentence: string, phase: PortalPhase = 'inquiry'): PortalMeaning | null {
  const letters = lettersOf(sentence);
  const withoutWarnings = letters.replaceAll(WARNING, '');
  const skipped = phase === 'login' ? 'elsewhere' : 'login';
  for (const { meaning, pattern, at, stated = false, unless } of PATTERNS) {
    if (at === skipped) continue;
    const whole = stated ? withoutWarnings : letters;
    if (pattern.test(unless === undefined ? whole : whole.replaceAll(unless, ''))) return meaning;
  }
  return null;
}
