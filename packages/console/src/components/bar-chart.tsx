import { count } from '../app/format.ts';
import type { Tone } from './badge.tsx';

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly tone: Tone;
}

/** Bars next to their numbers: the chart is its own table. */
export function BarChart({
  caption,
  bars,
}: {
  readonly caption: string;
  readonly bars: readonly Bar[];
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table class="bars">
      <caption class="visually-hidden">{caption}</caption>
      <tbody>
        {bars.map(({ label, value, tone }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td aria-hidden="true">
              <span class={`bar ${tone}`} style={{ width: `${(value / most) * 100}%` }} />
            </td>
            <td class="numeric">{count(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
