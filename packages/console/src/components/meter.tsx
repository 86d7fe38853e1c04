import { count } from '../app/format.ts';

interface Props {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}

export function Meter({ label, used, limit }: Props) {
  const share = limit === 0 ? 0 : used / limit;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
  return (
    <div class="meter">
      <div>
        <span>{label}</span>
        <span class="numeric">
          {count(used)} / {count(limit)}
        </span>
      </div>
      <meter
        class={tone}
        min={0}
        max={Math.max(1, limit)}
        value={Math.min(used, limit)}
        aria-label={label}
      />
    </div>
  );
}
