/** Upper bounds of the histogram, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Answered requests and their times as metrics. */
export interface RequestTimes {
  /** One answered request; `route` is the pattern, never the path. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** The text that Prometheus reads. */
  text(): string;
}

/** The answers of one method and route. */
interface Times {
  readonly byStatus: Map<number, number>;
  /** How many took at most each bound, and more than the one before it; the last is for all others. */
  readonly buckets: number[];
  seconds: number;
}

/**
 * Counts without prom-client, which makes a text of its labels for each request: that took 1.2 µs, a
 * twenty-fifth of a read.
 */
export function createRequestTimes(): RequestTimes {
  const routes = new Map<string, Map<string, Times>>();

  function timesOf(method: string, route: string): Times {
    const methods = routes.get(route) ?? new Map<string, Times>();
    if (methods.size === 0) routes.set(route, methods);
    const known = methods.get(method);
    if (known !== undefined) return known;
    const times = {
      byStatus: new Map<number, number>(),
      buckets: [...BOUNDS, Infinity].map(() => 0),
      seconds: 0,
    };
    methods.set(method, times);
    return times;
  }

  return {
    answered(method, route, status, seconds) {
      const times = timesOf(method, route);
      const { byStatus, buckets } = times;
      const within = BOUNDS.findIndex((bound) => seconds <= bound);
      const bucket = within === -1 ? BOUNDS.length : within;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      times.seconds += seconds;
    },
    text: () => `${countLines(routes).join('\n')}\n${timeLines(routes).join('\n')}\n`,
  };
}

type Routes = ReadonlyMap<string, ReadonlyMap<string, Times>>;

function countLines(routes: Routes): string[] {
  const name = 'changgu_http_requests_total';
  const lines = labeled(routes).flatMap(({ labels, byStatus }) =>
    [...byStatus].map(([status, count]) => `${name}{${labels},status="${status}"} ${count}`),
  );
  return [`# HELP ${name} Answered requests`, `# TYPE ${name} counter`, ...lines];
}

function timeLines(routes: Routes): string[] {
  const name = 'changgu_http_request_duration_seconds';
  const lines = labeled(routes).flatMap(({ labels, buckets, seconds }) => {
    let within = 0;
    const cumulative = [...BOUNDS, '+Inf'].map((bound, n) => {
      within += buckets[n] ?? 0;
      return `${name}_bucket{le="${bound}",${labels}} ${within}`;
    });
    return [
      ...cumulative,
      `${name}_sum{${labels}} ${seconds}`,
      `${name}_count{${labels}} ${within}`,
    ];
  });
  return [`# HELP ${name} Time to answer a request`, `# TYPE ${name} histogram`, ...lines];
}

/** Methods and patterns of routes need no escapes. */
function labeled(routes: Routes) {
  return [...routes].flatMap(([route, methods]) =>
    [...methods].map(([method, times]) => ({
      ...times,
      labels: `method="${method}",route="${route}"`,
    })),
  );
}
