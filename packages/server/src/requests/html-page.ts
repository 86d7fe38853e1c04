import type { Language } from './language.ts';

/** No scripts and no external resources, so the content cannot leave the page by itself. It may not be framed. */
const POLICY = ["default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'"];

const STYLE =
  ':root{color-scheme:light dark}body{font-family:system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;line-height:1.5}code{user-select:all;overflow-wrap:anywhere}fieldset{margin:1rem 0;border:1px solid #8886;border-radius:.4rem}label{display:block;margin:.3rem 0}input:not([type=checkbox]),select{display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit}button{font:inherit;padding:.6rem 1.2rem;margin:.5rem .5rem .5rem 0}.warning{border-color:#b45309}[role=alert]{color:#b91c1c}@media(prefers-color-scheme:dark){[role=alert]{color:#fca5a5}}';

/** The policy for our pages; forms may be submitted to us only. */
export function pagePolicy(forms: 'none' | 'self' = 'none'): string {
  const formAction = forms === 'self' ? "'self'" : "'none'";
  return [...POLICY, `form-action ${formAction}`, "frame-ancestors 'none'"].join('; ');
}

/** Of a page that offers passkeys, which need a script: a file of ours, which asks us alone and writes no markup. */
export function passkeyPagePolicy(): string {
  const script = ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'"];
  return [pagePolicy('self'), ...script, "trusted-types 'none'"].join('; ');
}

/** A page in the house's plain style. `title` and `body` are HTML: what comes from outside is escaped before. */
export function htmlPage(language: Language, title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>${head}
<style>${STYLE}</style>
</head><body><main>${body}</main></body></html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
