import type { Connector, JsonObject } from '../connector.ts';
import { fieldOf, readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { elements, type PortalPage, required, type Selection, textOf } from '../portal/page.ts';
import type { Board } from './boards.ts';
import { siEdiFace } from './face.ts';

const SEARCH_FORM = '#searchForm';
const TOKEN = '_csrf';

/** `<board>.list_init`: the start page of a board, what can be searched there, and how. */
export function listInit(board: Board): Connector {
  return (call) =>
    loggedIn(call, siEdiFace, async (portal) => {
      call.progress(1, 1, '검색 화면을 읽고 있습니다');
      return describePage(await portal.get(board.initPath), board);
    });
}

function describePage(page: PortalPage, board: Board): JsonObject {
  const form = readForm(page, SEARCH_FORM);
  const semantic = Object.entries(board.search).filter(([, field]) => field in form.fields);
  const allForms = elements(page, '#content form').map((each) => ({
    name: each.attr('name') ?? each.attr('id') ?? '',
    action: each.attr('action') ?? '',
    method: each.attr('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
  }));
  return {
    success: true,
    page: board.page,
    forms: allForms,
    fields: fieldsOf(page),
    semantic_fields: Object.fromEntries(semantic),
    semantic_payload: Object.fromEntries(
      semantic.map(([param, field]) => [param, fieldOf(form, field)]),
    ),
    semantic_field_count: semantic.length,
    csrf_token_present: fieldOf(form, TOKEN) !== '',
    followup_endpoints: [...new Set(allForms.map(({ action }) => action))],
    navigation_steps: stepsOf(page),
    current_view: textOf(page.$('#content > h2')),
    target_ready: semantic.length === Object.keys(board.search).length,
    raw_html_len: page.html.length,
    source_url: page.url,
  };
}

/** The token stays private: the answer says only that there is one. */
function fieldsOf(page: PortalPage): JsonObject[] {
  const controls = required(page, SEARCH_FORM).find('input[name], select[name]');
  return elements(page, controls)
    .filter((control) => control.attr('name') !== TOKEN)
    .map((control) => ({
      name: control.attr('name') ?? '',
      type: control.is('select') ? 'select' : (control.attr('type') ?? 'text'),
      value: control.attr('value') ?? null,
      options: optionsOf(page, control),
    }));
}

function optionsOf(page: PortalPage, control: Selection): JsonObject[] {
  return elements(page, control.find('option')).map((option) => ({
    value: option.attr('value') ?? '',
    label: textOf(option),
  }));
}

function stepsOf(page: PortalPage): string[] {
  return elements(page, '#content > .location li').map(textOf);
}
