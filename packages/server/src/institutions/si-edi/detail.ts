import type { Call, Connector, JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import { readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import {
  labelled,
  labelledValues,
  type PortalPage,
  required,
  sourceOf,
  textOf,
} from '../portal/page.ts';
import type { Portal } from '../portal/portal.ts';
import { printedCount, printedDayOrNull, textOrNull } from '../portal/printed-values.ts';
import { listedFiles, tabledFiles } from './attachments.ts';
import { type Board, FAQ, FORMS, NOTICES } from './boards.ts';
import { siEdiFace } from './face.ts';
import { searchFields } from './search-fields.ts';

/** Submits one of the board's follow-up forms, like the scripts of its pages. */
function openFollowUp(
  call: Call,
  board: Board,
  form: string,
  fields: Readonly<Record<string, string>>,
  read: (page: PortalPage) => JsonObject,
): Promise<JsonObject> {
  return loggedIn(call, siEdiFace, async (portal: Portal) => {
    call.progress(1, 2, '게시판을 열고 있습니다');
    const followUp = readForm(await portal.get(board.initPath), form);
    call.progress(2, 2, '게시물을 읽고 있습니다');
    return read(await portal.submit(followUp, fields));
  });
}

/** The post itself. Its texts are the institution's: untrusted, and plain text here. */
function postOf(page: PortalPage): JsonObject {
  const values = labelledValues(page, '#content > table.board_view');
  const body = required(page, '#content > .view_cont');
  const views = values.get('조회수');
  return {
    title: labelled(values, '제목'),
    category: textOrNull(values.get('분류') ?? ''),
    writer: textOrNull(values.get('작성자') ?? ''),
    registered_on: printedDayOrNull(values.get('등록일') ?? ''),
    view_count: views === undefined ? null : printedCount(views),
    body_text: textOf(body),
    body_html: sourceOf(page, body),
    attachments: listedFiles(page),
  };
}

/** The echoed params that identify a post. */
function named(call: Call, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, textParam(call.params, name) ?? '']));
}

export const faqDetail: Connector = (call) => {
  const { qstn_sn: qstnSn = '' } = named(call, ['qstn_sn']);
  const payload = { qstnSn, ...searchFields(FAQ, call.params) };
  return openFollowUp(call, FAQ, '#detailForm', payload, (page) => ({
    success: true,
    qstn_sn: qstnSn,
    detail: postOf(page),
    submitted_payload: payload,
    raw_html_len: page.html.length,
    source_url: page.url,
  }));
};

export const formDetail: Connector = (call) => {
  const post = named(call, ['bbs_id', 'pst_sn']);
  const payload = { bbsId: post.bbs_id ?? '', pstSn: post.pst_sn ?? '' };
  return openFollowUp(call, FORMS, '#detailForm', payload, (page) => ({
    success: true,
    ...post,
    detail: postOf(page),
    raw_html_len: page.html.length,
    source_url: page.url,
  }));
};

export const formAttachments: Connector = (call) => {
  const post = named(call, ['bbs_id', 'pst_sn', 'atfl_id']);
  const payload = {
    bbsId: post.bbs_id ?? '',
    pstSn: post.pst_sn ?? '',
    atflId: post.atfl_id ?? '',
    currentPageNo: textParam(call.params, 'current_page_no') ?? '1',
  };
  return openFollowUp(call, FORMS, '#fileForm', payload, (page) => {
    const files = tabledFiles(page);
    return {
      success: true,
      ...post,
      file_count: files.length,
      files,
      submitted_payload: payload,
      source_url: page.url,
    };
  });
};

export const noticeDetail: Connector = (call) => {
  const { pst_sn: pstSn = '' } = named(call, ['pst_sn']);
  return openFollowUp(call, NOTICES, '#detailForm', { pstSn }, (page) => ({
    success: true,
    pst_sn: pstSn,
    detail: postOf(page),
    raw_html_len: page.html.length,
    source_url: page.url,
  }));
};

export const noticeAttachments: Connector = (call) => {
  const { pst_sn: pstSn = '' } = named(call, ['pst_sn']);
  return openFollowUp(call, NOTICES, '#fileForm', { pstSn }, (page) => {
    const files = tabledFiles(page);
    return {
      success: true,
      pst_sn: pstSn,
      file_count: files.length,
      files,
      source_url: page.url,
    };
  });
};
