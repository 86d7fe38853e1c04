import type { Charset } from './charset.ts';
import { encode } from './charset.ts';
import type { HostileKind } from './condition.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Look } from './portal.ts';

export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface PageParts {
  status?: number;
  title: string;
  content: Html;
  head?: Html;
  menu?: Html | null;
  headers?: Record<string, string>;
  breaksOff?: boolean;
}

function layout(look: Look, charset: Charset, parts: PageParts): string {
  return html`<!DOCTYPE html>
<html lang="ko">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=${charset}">
${parts.head ?? null}
<title>${parts.title} | ${look.name}</title>
</head>
<body>
<div id="header"><h1><a href="/">${look.name}</a></h1>${parts.menu ?? null}</div>
<div id="content">
<h2>${parts.title}</h2>
${parts.content}
</div>
<div id="footer"><address>본 화면은 시험용 모의 기관 화면입니다.</address></div>
</body>
</html>
`.markup;
}

/** The page as it arrives when the connection to the page generator breaks inside the data. */
function breakOff(text: string): string {
  const start = text.indexOf('<div id="content">');
  const end = text.indexOf('<div id="footer">');
  const middle = Math.floor((start + end) / 2);
  const cell = Math.max(
    ...['<td', '<span', '<dd', '<p'].map((tag) => text.lastIndexOf(tag, middle)),
  );
  return text.slice(0, Math.max(cell, start) + 3);
}

/** Tags unclosed, nested wrongly, attributes cut: what a broken template sends. */
function malform(text: string): string {
  return text
    .replaceAll('</td>', '')
    .replaceAll('</form>', '<table><tr></form>')
    .replaceAll(/name="([^"]*)"/g, 'name="$1')
    .slice(0, -40);
}

function distort(text: string, hostile: HostileKind | null): string {
  return hostile === 'malformed_html' ? malform(text) : text;
}

const OTHER: Record<Charset, Charset> = { 'utf-8': 'euc-kr', 'euc-kr': 'utf-8' };

/** Prints a page in the portal's look and charset. */
export function renderPage(
  look: Look,
  path: string,
  hostile: HostileKind | null,
  parts: PageParts,
): RenderedPage {
  const charset = look.charset(path);
  const whole = layout(look, charset, parts);
  const text = distort(parts.breaksOff ? breakOff(whole) : whole, hostile);
  return {
    status: parts.status ?? 200,
    headers: {
      'content-type': look.contentType(charset),
      'cache-control': 'no-store',
      ...parts.headers,
    },
    body: encode(text, hostile === 'wrong_charset' ? OTHER[charset] : charset),
  };
}
