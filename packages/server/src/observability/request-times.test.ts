import { expect, it } from 'vitest';
import { createRequestTimes } from './request-times.ts';

const ROUTE = '/v1/jobs/:job_id';

it('counts answers by method, route and status', () => {
  const times = createRequestTimes();
  times.answered('GET', ROUTE, 200, 0.004);
  times.answered('GET', ROUTE, 200, 0.004);
  times.answered('GET', ROUTE, 404, 0.004);
  times.answered('DELETE', ROUTE, 200, 0.004);
  const counts = linesOf(times.text(), 'changgu_http_requests_total');
  expect(counts).toEqual([
    `{method="GET",route="${ROUTE}",status="200"} 2`,
    `{method="GET",route="${ROUTE}",status="404"} 1`,
    `{method="DELETE",route="${ROUTE}",status="200"} 1`,
  ]);
});

it('counts in each bucket all answers that took at most its bound, as Prometheus expects', () => {
  const times = createRequestTimes();
  for (const seconds of [0.001, 0.002, 0.5, 40]) times.answered('GET', ROUTE, 200, seconds);
  const text = times.text();
  const buckets = linesOf(text, 'changgu_http_request_duration_seconds_bucket');
  const labels = `method="GET",route="${ROUTE}"`;
  expect(buckets).toHaveLength(15);
  expect(buckets).toContain(`{le="0.001",${labels}} 1`);
  expect(buckets).toContain(`{le="0.0025",${labels}} 2`);
  expect(buckets).toContain(`{le="0.25",${labels}} 2`);
  expect(buckets).toContain(`{le="0.5",${labels}} 3`);
  expect(buckets).toContain(`{le="30",${labels}} 3`);
  expect(buckets.at(-1)).toBe(`{le="+Inf",${labels}} 4`);
  expect(text).toContain(`changgu_http_request_duration_seconds_sum{${labels}} 40.503`);
  expect(text).toContain(`changgu_http_request_duration_seconds_count{${labels}} 4\n`);
});

it('describes both metrics before the first answer', () => {
  const text = createRequestTimes().text();
  expect(text).toContain('# TYPE changgu_http_requests_total counter\n');
  expect(text).toContain('# TYPE changgu_http_request_duration_seconds histogram\n');
});

function linesOf(text: string, name: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => line.slice(name.length));
}
