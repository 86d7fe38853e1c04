import { Type } from 'typebox';
import { byName, nullable, oneOf } from '../schemas/vocabulary.ts';
import {
  bytes,
  count,
  flag,
  maybeProse,
  maybeText,
  ownText,
  prose,
  rowCount,
  rowIndex,
  success,
  text,
} from './fields.ts';

const sourceUrl = text('Address of the page that was read');
const rawHtmlLength = count('Characters of the page that was read');
const rowKey = (form: string) => text(`Stable key of the row: ${form}`);

/** What was sent to the portal, built from params only, so it never contains an encrypted field. */
const sentValues = (description: string) => byName(Type.String(), { description });
const submittedPayload = sentValues('Form fields sent to the portal, by name');
const query = sentValues('Search fields sent to the portal, by name');

const file = Type.Object({
  row_index: rowIndex,
  row_key: rowKey('atfl_id:atch_file_sn'),
  atfl_id: text('Attachment bundle id'),
  atch_file_sn: text('Number of the file in its bundle'),
  file_name: prose('File name'),
  size_text: maybeText('Size as the portal prints it'),
  content_type: maybeText('Media type, where the portal says it'),
});

const detail = Type.Object(
  {
    title: prose('Title (제목)'),
    category: maybeProse('Category (분류)'),
    writer: maybeProse('Writer (작성자)'),
    registered_on: maybeText('Day of registration, YYYYMMDD (등록일)'),
    view_count: nullable(count('Views (조회수)')),
    body_text: prose('Body as plain text'),
    body_html: prose('Body as the portal sends it; not safe to show unsanitized'),
    attachments: Type.Array(file, { description: 'Attached files' }),
  },
  { description: 'The post' },
);

const files = Type.Array(file, { description: 'Attached files; empty when there are none' });
const fileCount = count('Number of files; 0 is not a failure');

/** The start page of a list: the available search fields. */
export const listInitResult = Type.Object({
  success,
  page: ownText('Name of the page'),
  forms: Type.Array(
    Type.Object({
      name: text('Name of the form'),
      action: text('Where it is sent'),
      method: oneOf(['GET', 'POST'], { description: 'How it is sent' }),
    }),
    { description: 'Forms of the page' },
  ),
  fields: Type.Array(
    Type.Object({
      name: text('Name of the field'),
      type: text('Kind of input'),
      value: maybeText('Value on the page'),
      options: Type.Array(Type.Object({ value: text('Code'), label: text('Meaning') }), {
        description: 'Codes to choose from; empty for free text',
      }),
    }),
    { description: 'Fields of the search form' },
  ),
  semantic_fields: byName(ownText('Name of the field'), {
    description: 'Name of the param → name of the field on the page',
  }),
  semantic_payload: sentValues('Value of each param on the untouched page'),
  semantic_field_count: count('Number of semantic fields'),
  csrf_token_present: flag('The page carries a CSRF token'),
  followup_endpoints: Type.Array(Type.String(), {
    description: 'Addresses that the page leads to',
  }),
  navigation_steps: Type.Array(Type.String(), { description: 'Pages passed on the way here' }),
  current_view: text('Page that is shown now'),
  target_ready: flag('The page is the wanted one and complete'),
  raw_html_len: rawHtmlLength,
  source_url: sourceUrl,
});

export const faqListResult = Type.Object({
  success,
  row_count: rowCount,
  items: Type.Array(
    Type.Object({
      row_index: rowIndex,
      row_key: rowKey('qstn_sn'),
      qstn_sn: text('Question number'),
      title: prose('Question'),
    }),
    { description: 'Questions of the page' },
  ),
  query,
  source_url: sourceUrl,
});

export const faqDetailResult = Type.Object({
  success,
  qstn_sn: text('Question number'),
  detail,
  submitted_payload: submittedPayload,
  raw_html_len: rawHtmlLength,
  source_url: sourceUrl,
});

export const formListResult = Type.Object({
  success,
  row_count: rowCount,
  items: Type.Array(
    Type.Object({
      row_index: rowIndex,
      row_key: rowKey('bbs_id:pst_sn'),
      bbs_id: text('Board id'),
      pst_sn: text('Post number'),
      title: prose('Title'),
      category: maybeProse('Category (분류)'),
      registered_on: maybeText('Day of registration, YYYYMMDD'),
    }),
    { description: 'Forms of the page' },
  ),
  query,
  source_url: sourceUrl,
});

export const formDetailResult = Type.Object({
  success,
  bbs_id: text('Board id'),
  pst_sn: text('Post number'),
  detail,
  raw_html_len: rawHtmlLength,
  source_url: sourceUrl,
});

export const formAttachmentsResult = Type.Object({
  success,
  bbs_id: text('Board id'),
  pst_sn: text('Post number'),
  atfl_id: text('Attachment bundle id'),
  file_count: fileCount,
  files,
  submitted_payload: submittedPayload,
  source_url: sourceUrl,
});

export const noticeListResult = Type.Object({
  success,
  row_count: rowCount,
  items: Type.Array(
    Type.Object({
      row_index: rowIndex,
      row_key: rowKey('pst_sn'),
      pst_sn: text('Post number'),
      title: prose('Title'),
      institution: maybeProse('Institution (기관)'),
      registered_on: maybeText('Day of registration, YYYYMMDD'),
    }),
    { description: 'Notices of the page' },
  ),
  query,
  source_url: sourceUrl,
});

export const noticeDetailResult = Type.Object({
  success,
  pst_sn: text('Post number'),
  detail,
  raw_html_len: rawHtmlLength,
  source_url: sourceUrl,
});

export const noticeAttachmentsResult = Type.Object({
  success,
  pst_sn: text('Post number'),
  file_count: fileCount,
  files,
  source_url: sourceUrl,
});

/**
 * Which fields are set depends on dry_run and include_base64.
 * @see docs/specification/institutions.md#d82
 */
export const fileDownloadResult = Type.Object({
  success,
  dry_run: flag('Only the existence was checked'),
  downloaded: flag('The file was downloaded; its bytes are an artifact'),
  atfl_id: text('Attachment bundle id'),
  atch_file_sn: text('Number of the file in its bundle'),
  exists: flag('The portal has the file'),
  exists_response: nullable(
    Type.Object(
      { exist_yn: text('Y or N, as the portal answers') },
      { description: 'Answer of the existence check' },
    ),
  ),
  download_url: maybeText('Address of the file at the portal; it needs the portal session'),
  file_name: maybeProse('File name'),
  content_type: maybeText('Media type'),
  bytes_len: nullable(count('Size in bytes; null when nothing was downloaded')),
  base64: nullable(bytes('The bytes, only with include_base64')),
});

export const loginResult = Type.Object({
  success,
  authenticated: flag('The portal session is logged in'),
  cookie_count: count('Cookies kept for the session'),
  auth_method: oneOf(['npki_cms'], { description: 'Type of the registered certificate' }),
  session_generation: oneOf(['new', 'reused'], {
    description: 'Was a session made, or an open one used again?',
  }),
});
