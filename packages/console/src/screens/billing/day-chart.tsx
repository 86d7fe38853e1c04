import { useEffect, useRef } from 'preact/hooks';
import Plot from 'uplot';
import { locale } from '../../app/format.ts';
import { language, theme } from '../../app/preferences.ts';
import type { DayChartProps } from './usage-rows.ts';

const HEIGHT = 200;
const COLORS = ['--accent', '--good', '--warn', '--busy', '--faint'] as const;

/** Stacked bars for each day. The table next to it contains the same data. */
export function DayChart({ days, series }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const plot = new Plot(optionsFor(current, series.length), dataOf(days, series), current);
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: current.clientWidth, height: HEIGHT }),
    );
    watch.observe(current);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify([days, series]), theme.value, language.value]);
  return (
    <figure class="chart">
      <div ref={box} aria-hidden="true" />
      <figcaption>
        {series.map(({ name }, index) => (
          <span key={name}>
            <i class={`key key-${index}`} /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** The tallest first, so that each part is drawn over the taller one. */
function dataOf(days: readonly string[], series: DayChartProps['series']): Plot.AlignedData {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000);
  const sums = series.map((_, index) =>
    days.map((__, day) =>
      series.slice(0, index + 1).reduce((sum, { tokens }) => sum + (tokens[day] ?? 0), 0),
    ),
  );
  return [times, ...sums.toReversed()];
}

function optionsFor(box: HTMLElement, parts: number): Plot.Options {
  const styles = getComputedStyle(box);
  const paint = (name: string) => resolved(box, styles.getPropertyValue(name));
  const bars = Plot.paths.bars?.({ size: [0.7, 40] });
  const axis = { stroke: paint('--faint'), grid: { stroke: paint('--line'), width: 1 } };
  const date = new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    month: 'numeric',
    day: 'numeric',
  });
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1_000), 'UTC'),
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((at) => date.format(at * 1_000)) },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000, 100_000] },
    ],
    series: [
      {},
      ...Array.from({ length: parts }, (_, index) => ({
        fill: paint(COLORS[parts - 1 - index] ?? '--faint'),
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}

/** A canvas does not know light-dark(), so the color is read from the style sheet. */
function resolved(box: HTMLElement, value: string): string {
  const before = box.style.color;
  box.style.color = value;
  const { color } = getComputedStyle(box);
  box.style.color = before;
  return color;
}
