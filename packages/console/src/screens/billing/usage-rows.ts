import type { JobSummaryResponse } from '@changgu/contract';

type Items = JobSummaryResponse['items'];

export interface DayChartProps {
  readonly days: readonly string[];
  readonly series: readonly { readonly name: string; readonly tokens: readonly number[] }[];
}

/** As many as colors can distinguish. */
const MAX_SERIES = 5;

/** One day and action, all states together. */
export function usageRows(items: Items) {
  const rows = new Map<string, { day: string; action: string; jobs: number; tokens: number }>();
  for (const { day, action, jobs, usage_tokens: tokens } of items) {
    const row = rows.get(`${day} ${action}`) ?? { day, action, jobs: 0, tokens: 0 };
    rows.set(`${day} ${action}`, { ...row, jobs: row.jobs + jobs, tokens: row.tokens + tokens });
  }
  return [...rows.values()];
}

/** The most used actions by day; the others combined, without a name. */
export function seriesOf(items: Items, days: readonly string[]) {
  const totals = new Map<string, number>();
  for (const { action, usage_tokens: tokens } of items) {
    totals.set(action, (totals.get(action) ?? 0) + tokens);
  }
  const ranked = [...totals].toSorted(([, a], [, b]) => b - a).map(([action]) => action);
  const named = ranked.length > MAX_SERIES ? ranked.slice(0, MAX_SERIES - 1) : ranked;
  const tokensOf = (isIn: (action: string) => boolean) =>
    days.map((day) =>
      items
        .filter((item) => item.day === day && isIn(item.action))
        .reduce((sum, { usage_tokens: tokens }) => sum + tokens, 0),
    );
  return [
    ...named.map((action) => ({ action, tokens: tokensOf((each) => each === action) })),
    ...(named.length === ranked.length
      ? []
      : [{ action: null, tokens: tokensOf((each) => !named.includes(each)) }]),
  ];
}
