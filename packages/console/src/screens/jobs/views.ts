import { signal } from '@preact/signals';
import { filtersInAddress, type JobFilters } from './job-filters.ts';

/** A name for an address of the list. */
export interface View {
  readonly name: string;
  readonly filters: JobFilters;
}

const STORED = 'changgu.views';
const MAX_VIEWS = 20;
export const MAX_NAME = 40;

/** In this browser only. They contain filters, never the service's data. */
export const views = signal<readonly View[]>(readStored());

export function saveView(name: string, filters: JobFilters): void {
  keep([...views.value.filter((each) => each.name !== name), { name, filters }].slice(-MAX_VIEWS));
}

export function forgetView(name: string): void {
  keep(views.value.filter((each) => each.name !== name));
}

function keep(next: readonly View[]): void {
  views.value = next;
  try {
    localStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Without storage they last as long as the page.
  }
}

function readStored(): readonly View[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(value) ? value.flatMap(viewOf).slice(-MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Stored text becomes filters of this list or is ignored. */
function viewOf(value: unknown): View[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, filters }: { name?: unknown; filters?: unknown } = value;
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return [];
  const texts = Object.entries(filters).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return [{ name: name.slice(0, MAX_NAME), filters: filtersInAddress(new URLSearchParams(texts)) }];
}
