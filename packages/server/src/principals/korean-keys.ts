const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const VOWELS = 21;
const FINALS = 28;

const INITIAL_KEYS = 'r R s e E f a q Q t T d w W c z x v g'.split(' ');
const VOWEL_KEYS = 'k o i O j p u P h hk ho hl y n nj np nl b m ml l'.split(' ');
const FINAL_KEYS = ' r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g'.split(' ');

/** The Latin letters of a Korean word typed with the keyboard in English mode: 비밀번호 is qlalfqjsgh. */
export function typedInEnglish(korean: string): string {
  return Array.from(korean, keysOf).join('');
}

function keysOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return letter;
  const index = code - FIRST_SYLLABLE;
  const initial = Math.floor(index / (VOWELS * FINALS));
  const vowel = Math.floor(index / FINALS) % VOWELS;
  return `${INITIAL_KEYS[initial]}${VOWEL_KEYS[vowel]}${FINAL_KEYS[index % FINALS]}`;
}

/** Common Korean choices: words, services, places and names. */
export const COMMON_KOREAN =
  `비밀번호 패스워드 암호 관리자 사용자 안녕하세요 안녕 사랑해 사랑합니다 사랑해요 사랑 좋아해 보고싶어
감사합니다 고맙습니다 죄송합니다 반갑습니다 대한민국 한국 우리나라 코리아 서울 부산 대구 인천 광주 대전 울산 제주도 강남 독도
은행 국민은행 신한은행 우리은행 하나은행 기업은행 농협 카드 통장 계좌 회사 사무실 세무서 홈택스 회계 경리 재무 인사 총무 영업 사장님 대표이사
삼성 삼성전자 현대 엘지 롯데 네이버 카카오 카카오톡 다음 구글 쿠팡 배달의민족 컴퓨터 인터넷 윈도우 홈페이지 아이디 로그인 테스트 임시
엄마 아빠 아버지 어머니 가족 우리집 여보 자기야 오빠 언니 누나 형님 동생 아들 우리아들 우리딸 친구 행복 행복하자 하늘 바다 구름 천사 공주 왕자
강아지 고양이 호랑이 토끼 곰돌이 사과 딸기 바나나 수박 김치 라면 커피 소주 맥주 치킨 피자 바보 멍청이 똥개 하하하 파이팅 화이팅 아자아자
학교 대학교 선생님 공부 축구 야구 월드컵 붉은악마 게임 스타크래프트 리니지 메이플스토리 무궁화 아리랑 태극기 세종대왕 이순신 영원히 창구
홍길동 김민수 김철수 이영희 박지성 김연아 손흥민 철수 영희 민수 지훈 민준 서연 지은 현우 수진 은정 지영`.split(
    /\s+/,
  );
