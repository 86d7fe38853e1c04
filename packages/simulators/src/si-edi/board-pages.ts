import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import {
  PAGE_SIZE,
  pageNumbers,
  pageOf,
  tableBody,
  tableHead,
  turningOf,
} from '../portal/paging.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, pageNumber, prose, signedInForData } from '../portal/visit.ts';
import type { Attachment, Options, Posting } from './board-data.ts';

export const TOKEN = '_csrf';

export interface SearchField {
  name: string;
  label: string;
  /** Absent: a text field. */
  options?: Options;
}

/** One board: where its pages are and what can be searched. */
export interface Board {
  title: string;
  menu: string;
  postings: readonly Posting[];
  search: readonly SearchField[];
  paths: { init: string; list: string; detail: string; files?: string };
  /** Fields that name a posting; the last one holds its number. */
  keyFields: readonly string[];
  /** Fields of the attachment page; the key fields unless it wants more. */
  fileFields?: readonly string[];
}

const SORTS: Options = [
  ['RECENT', '최신순'],
  ['VIEW', '조회순'],
];
const TEXT_IN: Options = [
  ['ALL', '제목+내용'],
  ['TITLE', '제목'],
  ['CONTENT', '내용'],
];

export const TEXT_FIELDS: readonly SearchField[] = [
  { name: 'srchOpt', label: '검색구분', options: TEXT_IN },
  { name: 'srchTxt', label: '검색어' },
];
export const SORT_FIELD: SearchField = { name: 'srchSort', label: '정렬', options: SORTS };

function searchControl({ name, label, options }: SearchField): Html {
  const control = options
    ? html`<select id="${name}" name="${name}"><option value="">전체</option>${options.map(([code, text]) => html`<option value="${code}">${text}</option>`)}</select>`
    : html`<input type="text" id="${name}" name="${name}" title="${label}">`;
  return html`<tr><th scope="row"><label for="${name}">${label}</label></th><td>${control}</td></tr>
`;
}

function postForm(visit: Visit, id: string, action: string, fields: readonly string[]): Html {
  return html`<form id="${id}" name="${id}" method="post" action="${action}">${hidden(TOKEN, visit.session.csrf)}${fields.map((name) => hidden(name, field(visit, name)))}</form>
`;
}

/** The hidden forms that the page's scripts submit. */
function followUps(visit: Visit, board: Board): Html {
  const { detail, files } = board.paths;
  const names = board.search.map(({ name }) => name);
  return html`${postForm(visit, 'detailForm', detail, [...board.keyFields, 'currentPageNo', ...names])}
${files ? postForm(visit, 'fileForm', files, board.fileFields ?? board.keyFields) : null}
${postForm(visit, 'existsForm', '/file/existsFile.do', ['atflId', 'atchFileSn'])}`;
}

function initPage(visit: Visit, board: Board): Reply {
  const signIn = signedInForData(visit, 'login');
  const content = html`<div class="location"><ol><li>홈</li><li>자료실</li><li>${board.menu}</li></ol></div>
<form id="searchForm" name="searchForm" method="post" action="${board.paths.list}">
${hidden(TOKEN, visit.session.csrf)}${hidden('currentPageNo', '1')}
<table class="search_box"><tbody>
${board.search.map(searchControl)}</tbody></table>
<button type="button" onclick="fn_search()">조회</button>
</form>
${followUps(visit, board)}`;
  return page(board.title, content, signIn);
}

function checkCodes(visit: Visit, board: Board): void {
  for (const { name, label, options } of board.search) {
    const value = field(visit, name);
    if (options && value !== '' && !options.some(([code]) => code === value)) {
      throw refuse(`${label} 값이 올바르지 않습니다.`, 'E4001');
    }
  }
}

function containsText(posting: Posting, text: string, where: string): boolean {
  const body = posting.paragraphs.join('\n');
  if (where === 'TITLE') return posting.title.includes(text);
  if (where === 'CONTENT') return body.includes(text);
  return posting.title.includes(text) || body.includes(text);
}

function search(visit: Visit, board: Board): Posting[] {
  checkCodes(visit, board);
  const text = field(visit, 'srchTxt');
  const found = board.postings.filter(
    (posting) =>
      Object.entries(posting.codes).every(([name, code]) =>
        ['', code].includes(field(visit, name)),
      ) && containsText(posting, text, field(visit, 'srchOpt')),
  );
  return field(visit, 'srchSort') === 'VIEW' ? found.toSorted((a, b) => b.views - a.views) : found;
}

const COLUMNS = ['번호', '분류', '제목', '첨부', '등록일', '조회수'];

function detailCall(posting: Posting): string {
  return posting.bbsId === ''
    ? `fn_detail('${posting.number}')`
    : `fn_detail('${posting.bbsId}','${posting.number}')`;
}

function listRow(visit: Visit, posting: Posting, number: number): Html {
  return html`<tr><td>${number}</td><td>${posting.category}</td><td class="subject"><a href="#none" onclick="${detailCall(posting)}; return false;">${prose(visit, posting.title)}</a></td><td>${posting.attachments.length > 0 ? '있음' : ''}</td><td>${posting.registeredOn}</td><td>${posting.views}</td></tr>`;
}

function listPage(visit: Visit, board: Board): Reply {
  const signIn = signedInForData(visit, 'login');
  const found = signIn.magic === '0200' ? [] : search(visit, board);
  const asked = pageNumber(field(visit, 'currentPageNo'));
  const current = pageOf(found, asked, turningOf(visit, asked));
  const first = current.total - (current.number - 1) * PAGE_SIZE;
  const content = html`<p class="total">총 <strong>${current.total}</strong>건</p>
<table class="board_list" summary="${board.title}">${tableHead(COLUMNS)}
${tableBody(current.rows, COLUMNS.length, (posting, index) => listRow(visit, posting, first - index))}</table>
<div class="pagination">${pageNumbers(current, (number) => html`<a href="#none" onclick="fn_page(${number}); return false;">${number}</a>`)}</div>
${followUps(visit, board)}`;
  return page(board.title, content, signIn);
}

function postingOf(visit: Visit, board: Board): Posting {
  const number = field(visit, board.keyFields.at(-1) ?? '');
  const bbsId = field(visit, 'bbsId');
  const posting = board.postings.find(
    (candidate) =>
      candidate.number === number && (candidate.bbsId === '' || candidate.bbsId === bbsId),
  );
  if (!posting) throw refuse('존재하지 않는 게시물입니다.', 'E4004');
  return posting;
}

function fileItem(file: Attachment): Html {
  return html`<li><a href="#none" onclick="fn_download('${file.atflId}','${file.atchFileSn}'); return false;">${file.fileName}</a></li>
`;
}

function detailPage(visit: Visit, board: Board): Reply {
  const signIn = signedInForData(visit, 'login');
  const posting = postingOf(visit, board);
  const content = html`<table class="board_view"><tbody>
<tr><th scope="row">제목</th><td colspan="3">${prose(visit, posting.title)}</td></tr>
<tr><th scope="row">분류</th><td>${posting.category}</td><th scope="row">작성자</th><td>${posting.writer}</td></tr>
<tr><th scope="row">등록일</th><td>${posting.registeredOn}</td><th scope="row">조회수</th><td>${posting.views}</td></tr>
</tbody></table>
<div class="view_cont">${posting.paragraphs.map((text) => html`<p>${prose(visit, text)}</p>\n`)}</div>
<ul class="file_list">${posting.attachments.map(fileItem)}</ul>
${followUps(visit, board)}`;
  return page(board.title, content, signIn);
}

const FILE_COLUMNS = ['번호', '파일명', '크기', '형식'];
const KIND_TEXT: Record<Attachment['kind'], string> = { txt: 'TXT', xlsx: 'XLSX', pdf: 'PDF' };

function fileRow(file: Attachment): Html {
  return html`<tr><td>${file.atchFileSn}</td><td>${fileItem(file)}</td><td>${KIND_TEXT[file.kind] === 'TXT' ? '1KB' : '8KB'}</td><td>${KIND_TEXT[file.kind]}</td></tr>`;
}

function filesPage(visit: Visit, board: Board): Reply {
  const signIn = signedInForData(visit, 'login');
  const posting = postingOf(visit, board);
  const wanted = field(visit, 'atflId');
  const files = posting.attachments.filter(({ atflId }) => ['', atflId].includes(wanted));
  const shown = signIn.magic === '0200' ? [] : files;
  const content = html`<table class="file_table">${tableHead(FILE_COLUMNS)}
${tableBody(shown, FILE_COLUMNS.length, fileRow)}</table>`;
  return page('첨부파일', content, signIn);
}

export function boardRoutes(board: Board): Route[] {
  const { init, list, detail, files } = board.paths;
  const routes = [
    get(init, (visit) => initPage(visit, board)),
    post(list, (visit) => listPage(visit, board)),
    post(detail, (visit) => detailPage(visit, board)),
  ];
  return files ? [...routes, post(files, (visit) => filesPage(visit, board))] : routes;
}
