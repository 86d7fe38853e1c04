import { signal } from '@preact/signals';

interface Place {
  /** Below the console's folder, without leading and trailing slashes: `jobs/job_01…`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Written into the page by the server; ends with `/console/`, after whatever prefix the request had. */
const BASE = new URL(document.baseURI);

export const place = signal<Place>(here());

let isHeld = false;

window.addEventListener('popstate', () => {
  if (!isHeld) place.value = here();
});

/** Until it is released, the screen stays where it is, also when the person goes back; a request may still lead it on. */
export function holdPlace(): () => void {
  isHeld = true;
  return () => {
    isHeld = false;
    const { path, query } = place.value;
    const search = query.size === 0 ? '' : `?${query}`;
    window.history.replaceState(null, '', addressOf(path) + search);
  };
}

function here(): Place {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(BASE.pathname) ? pathname.slice(BASE.pathname.length) : '';
  return { path: path.replace(/\/+$/, ''), query: new URLSearchParams(search) };
}

export type Query = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The address of a screen, for links. */
export function addressOf(path: string, query: Query = {}): string {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value ?? []].flat()) if (each !== '') url.searchParams.append(name, each);
  }
  return url.pathname + url.search;
}

export function navigate(path: string, query: Query = {}, { replace = false } = {}): void {
  const address = addressOf(path, query);
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address);
  place.value = here();
  if (!replace) window.scrollTo(0, 0);
}

/** Changes the address of the screen that is shown, which stays the same. */
export function replaceInQuery(values: Readonly<Record<string, string | null>>): void {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  window.history.replaceState(null, '', url);
  place.value = here();
}

/** The address of an API operation, as seen from this page. */
export function serviceUrl(path: string): URL {
  return new URL(`..${path}`, BASE);
}
