/** The API reference in the look of the console, without the vendor's own links. */
export const PAGE_STYLE = `
:root { --scalar-font: system-ui, -apple-system, "Segoe UI", "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; --scalar-radius: 6px; }
.light-mode { --scalar-color-accent: #14506b; --scalar-background-1: #ffffff; --scalar-background-2: #f4f6f8; --scalar-color-1: #17212a; --scalar-color-2: #53616e; --scalar-border-color: #d8dfe5; }
.dark-mode { --scalar-color-accent: #7cc4e4; --scalar-background-1: #12171c; --scalar-background-2: #1a2128; --scalar-color-1: #e6ecf1; --scalar-color-2: #9fb0be; --scalar-border-color: #323d47; }
a[href*="scalar.com"] { display: none !important; }
`;

/** curl and fetch stay; our own samples show the SDK and the command line. */
export const HIDDEN_CLIENTS = {
  c: true,
  clojure: true,
  csharp: true,
  dart: true,
  fsharp: true,
  go: true,
  http: true,
  java: true,
  js: listed('axios', 'jquery', 'ofetch', 'xhr'),
  julia: true,
  kotlin: true,
  node: true,
  objc: true,
  ocaml: true,
  php: true,
  powershell: true,
  python: listed('aiohttp', 'httpx_async', 'httpx_sync', 'python3'),
  r: true,
  ruby: true,
  rust: true,
  shell: listed('httpie', 'wget'),
  swift: true,
};

/** A list that keeps the literal types of its items. */
function listed<Name extends string>(...names: Name[]): Name[] {
  return names;
}
