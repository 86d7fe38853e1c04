import type { Language } from '@changgu/contract/language';

/** What connectors report, as it is stored, and the same for readers of English. */
const ENGLISH: Readonly<Record<string, string>> = {
  '앞선 작업이 끝나기를 기다리고 있습니다': 'Waiting for the jobs ahead to end',
  '기관의 응답이 불안정하여 잠시 기다리고 있습니다':
    'Waiting a while because the institution answers unreliably',
  '작업 순서를 기다리고 있습니다': 'Waiting for its turn',
  '작업을 시작하고 있습니다': 'Starting the job',

  '은행에 접속하고 있습니다': 'Connecting to the bank',
  '은행에 로그인하고 있습니다': 'Logging in to the bank',
  '로그아웃하고 있습니다': 'Logging out',
  '계좌 목록을 읽고 있습니다': 'Reading the list of accounts',
  '계좌 잔액을 조회하고 있습니다': 'Asking for the balance',
  '거래내역을 조회하고 있습니다': 'Asking for the transactions',
  '거래내역을 읽고 있습니다': 'Reading the transactions',

  '국세 포털에 접속하고 있습니다': 'Connecting to the tax portal',
  '국세 포털에 로그인하고 있습니다': 'Logging in to the tax portal',
  '사용자 정보를 읽고 있습니다': 'Reading the user information',
  '매출자료를 조회하고 있습니다': 'Asking for the card sales',
  '지급명세서를 조회하고 있습니다': 'Asking for the payment statements',
  '엑셀 파일을 내려받고 있습니다': 'Downloading the spreadsheet',
  '전자세금계산서 합계를 조회하고 있습니다': 'Asking for the totals of the tax invoices',
  '제출내역을 조회하고 있습니다': 'Asking for what was submitted',
  '조회 결과를 읽고 있습니다': 'Reading the result',
  '증명 신청 목록을 읽고 있습니다': 'Reading the list of certificate applications',
  '신청 화면을 열고 있습니다': 'Opening the application form',
  '신청 내용을 입력하고 있습니다': 'Filling in the application',
  '신청 내용을 확인하고 있습니다': 'Checking the application',
  '증명을 신청하고 있습니다': 'Applying for the certificate',
  '발급된 증명을 내려받고 있습니다': 'Downloading the certificate',

  '고용지원 포털에 접속하고 있습니다': 'Connecting to the employment portal',
  '고용지원 포털의 로그인 상태를 확인하고 있습니다':
    'Checking whether the employment portal is logged in',
  '로그인 세션을 저장하고 있습니다': 'Storing the login session',
  '공동인증서로 로그인하고 있습니다': 'Logging in with the certificate',

  '사회보험 EDI 포털에 접속하고 있습니다': 'Connecting to the social insurance EDI portal',
  '검색 화면을 열고 있습니다': 'Opening the search page',
  '검색 화면을 읽고 있습니다': 'Reading the search page',
  '목록을 읽고 있습니다': 'Reading the list',
  '게시판을 열고 있습니다': 'Opening the board',
  '게시물을 읽고 있습니다': 'Reading the post',
  '파일이 있는지 확인하고 있습니다': 'Checking whether the file is there',
  '파일을 내려받고 있습니다': 'Downloading the file',
};

const OF_A_PAGE = /^(.*) \((\d+)쪽\)$/;

/** A stored step for a reader of this language. What a connector of the operator's own says stays as it is. */
export function progressIn(language: Language, message: string): string {
  if (language === 'ko') return message;
  const [, step = message, page] = OF_A_PAGE.exec(message) ?? [];
  if (!Object.hasOwn(ENGLISH, step)) return message;
  const english = ENGLISH[step] ?? message;
  return page === undefined ? english : `${english} (page ${page})`;
}
