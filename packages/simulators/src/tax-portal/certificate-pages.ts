import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import {
  labelTable,
  pageNumbers,
  pageOf,
  tableBody,
  tableHead,
  turningOf,
} from '../portal/paging.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse, Stop } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, pageNumber, redirect } from '../portal/visit.ts';
import { dayOf, formatMoment, partsOf } from '../seed/kst.ts';
import type { Application, ApplicationDraft, Applications } from './applications.ts';
import { printCertificate } from './certificate-document.ts';
import type { CertificateScreen } from './screens.ts';
import { PURPOSES, RECEIVERS, refusalFor, SCREENS } from './screens.ts';
import { formRow, memberAt, select, tokenInput } from './tax-desk.ts';

const COLUMNS = ['접수번호', '민원명', '민원코드', '신청일시', '처리상태', '발급번호', '수량'];
const ISSUED = '발급완료';

function listRow(application: Application): Html {
  return html`<tr><td>${application.receiptNo}</td><td class="left">${application.screen.title}</td><td>${application.screen.code}</td><td>${formatMoment(application.appliedAt)}</td><td>${ISSUED}</td><td><a href="/certificates/print?issueNo=${application.issueNo}">${application.issueNo}</a></td><td>${application.copies}</td></tr>`;
}

function listPage(visit: Visit, applications: Applications): Reply {
  const { signIn, owner } = memberAt(visit);
  const all = signIn.magic === '0200' ? [] : applications.of(owner).toReversed();
  const asked = pageNumber(visit.query.get('pageNo'));
  const current = pageOf(all, asked, turningOf(visit, asked));
  const content = html`<p class="total">총 <em>${current.total}</em>건</p>
<table id="grdList" class="grid">${tableHead(COLUMNS)}
${tableBody(current.rows, COLUMNS.length, listRow)}</table>
<div class="pageList">${pageNumbers(current, (number) => html`<a href="/certificates/list?pageNo=${number}">${number}</a>`)}</div>`;
  return page('인터넷발급번호 조회', content, signIn);
}

function screenOf(visit: Visit, screenId: string | null): CertificateScreen {
  const screen = SCREENS.find((candidate) => candidate.screenId === screenId);
  if (!screen) throw refuse('존재하지 않는 화면입니다.', 'T1001');
  const refusal = refusalFor(screen, memberAt(visit).member.kind);
  if (refusal) throw refuse(refusal, 'T1002');
  return screen;
}

/** The last finished year or half-year: what the form has filled in. */
function periodControl(visit: Visit, screen: CertificateScreen): Html | null {
  if (screen.period === 'none') return null;
  const year = partsOf(dayOf(visit.now)).year - 1;
  const text = screen.period === 'year' ? String(year) : `${year}년 2기`;
  return formRow('과세기간', html`<input type="text" name="txnrmPrd" value="${text}">`);
}

function applyPage(visit: Visit): Reply {
  const { signIn, member } = memberAt(visit);
  const screen = screenOf(visit, visit.query.get('screenId'));
  const content = html`<p class="applicant">신청인 : ${member.name} (${member.representative})</p>
<form id="applyForm" name="applyForm" method="post" action="/certificates/confirm">
${tokenInput(visit)}${hidden('screenId', screen.screenId)}${hidden('cvaCd', screen.code)}
<table class="tbl_form"><tbody>
${formRow('사용용도', select('usePurpose', PURPOSES, '99'))}
${formRow('제출처', select('submitTo', RECEIVERS, '99'))}
${formRow('주민등록번호 공개여부', select('rsnoOpenYn', { Y: '공개', N: '비공개' }, 'N'))}
${formRow('수량', html`<input type="text" name="issueCnt" value="1" maxlength="2">`)}
${formRow('발급유형', select('langCd', { KO: '한글증명', EN: '영문증명' }, 'KO'))}
${periodControl(visit, screen)}
</tbody></table>
<button type="submit">신청하기</button>
</form>`;
  return page(screen.title, content, signIn);
}

function oneOfCodes(visit: Visit, name: string, codes: readonly string[], label: string): string {
  const value = field(visit, name);
  if (!codes.includes(value)) throw refuse(`${label} 항목을 확인하여 주십시오.`, 'T1003');
  return value;
}

function draftOf(visit: Visit): ApplicationDraft {
  const screen = screenOf(visit, field(visit, 'screenId'));
  if (field(visit, 'cvaCd') !== screen.code) throw refuse('민원코드가 올바르지 않습니다.', 'T1004');
  const copies = field(visit, 'issueCnt');
  if (!/^([1-9]|10)$/.test(copies)) throw refuse('수량은 1부터 10까지 입력하여 주십시오.', 'T1005');
  const period = field(visit, 'txnrmPrd');
  if (screen.period !== 'none' && !/^20\d{2}(년 [12]기)?$/.test(period)) {
    throw refuse('과세기간을 확인하여 주십시오.', 'T1006');
  }
  return {
    screen,
    purpose: oneOfCodes(visit, 'usePurpose', Object.keys(PURPOSES), '사용용도'),
    receiver: oneOfCodes(visit, 'submitTo', Object.keys(RECEIVERS), '제출처'),
    showsResidentNumber:
      oneOfCodes(visit, 'rsnoOpenYn', ['Y', 'N'], '주민등록번호 공개여부') === 'Y',
    copies: Number(copies),
    language: oneOfCodes(visit, 'langCd', ['KO', 'EN'], '발급유형') === 'EN' ? 'EN' : 'KO',
    period,
  };
}

function confirmPage(visit: Visit, applications: Applications): Reply {
  const { signIn, owner } = memberAt(visit);
  const draft = draftOf(visit);
  const content = html`<p class="guide">아래 내용으로 신청합니다. 신청 후에는 취소할 수 없습니다.</p>
${labelTable('tbl_info', [
  ['민원명', draft.screen.title],
  ['사용용도', PURPOSES[draft.purpose] ?? ''],
  ['제출처', RECEIVERS[draft.receiver] ?? ''],
  ['수량', draft.copies],
  ['발급유형', draft.language],
  ['과세기간', draft.period],
])}
<form id="submitForm" name="submitForm" method="post" action="/certificates/submit">
${tokenInput(visit)}${hidden('applyToken', applications.keepDraft(owner, draft))}
<button type="submit">신청</button>
</form>`;
  return page(`${draft.screen.title} 신청 확인`, content, signIn);
}

/** Takes effect: the application is registered whatever becomes of the answer. */
function submit(visit: Visit, applications: Applications): Reply {
  const { signIn, owner } = memberAt(visit);
  const application = applications.submit(owner, field(visit, 'applyToken'), visit.now);
  if (!application) throw refuse('이미 처리되었거나 유효하지 않은 신청입니다.', 'T1007');
  if (signIn.magic === '0999') throw new Stop({ kind: 'hang_up' });
  return redirect(`/certificates/result?rcptNo=${application.receiptNo}`);
}

function find(
  visit: Visit,
  applications: Applications,
  matches: (application: Application) => boolean,
): Application {
  const application = applications.of(memberAt(visit).owner).find(matches);
  if (!application) throw refuse('신청내역이 존재하지 않습니다.', 'T1008');
  return application;
}

function resultPage(visit: Visit, applications: Applications): Reply {
  const { signIn } = memberAt(visit);
  const application = find(
    visit,
    applications,
    ({ receiptNo }) => receiptNo === visit.query.get('rcptNo'),
  );
  const content = html`${labelTable('tbl_info', [
    ['접수번호', application.receiptNo],
    ['민원명', application.screen.title],
    ['신청일시', formatMoment(application.appliedAt)],
    ['처리상태', ISSUED],
    ['발급번호', application.issueNo],
  ])}
<p><a id="btnPrint" href="/certificates/print?issueNo=${application.issueNo}">발급문서 내려받기</a></p>`;
  return page('민원처리결과', content, signIn);
}

async function printPage(visit: Visit, applications: Applications): Promise<Reply> {
  const { member } = memberAt(visit);
  const application = find(
    visit,
    applications,
    ({ issueNo }) => issueNo === visit.query.get('issueNo'),
  );
  const name = encodeURIComponent(`${application.screen.title}.pdf`);
  return {
    kind: 'file',
    bytes: await printCertificate(application, member),
    contentType: 'application/pdf',
    disposition: `attachment; filename*=UTF-8''${name}`,
  };
}

export function certificateRoutes(applications: Applications): Route[] {
  return [
    get('/certificates/list', (visit) => listPage(visit, applications)),
    get('/certificates/apply', applyPage),
    post('/certificates/confirm', (visit) => confirmPage(visit, applications)),
    post('/certificates/submit', (visit) => submit(visit, applications)),
    get('/certificates/result', (visit) => resultPage(visit, applications)),
    get('/certificates/print', (visit) => printPage(visit, applications)),
  ];
}
