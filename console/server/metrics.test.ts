import { describe, expect, it } from 'vitest';
import { buckets, increase, parseMetrics, quantile, sum, sumBy } from './metrics.ts';

const metrics = parseMetrics(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{verb="GET",path="a\\"b\\\\c\\n"} 3
requests_total{verb="GET",path="x"} 4 1700000000
requests_total{verb="LIST",path="x"} 1e2
up 1
broken{
took_bucket{le="0.1"} 2
took_bucket{le="1"} 4
took_bucket{le="+Inf"} 4
`);

describe('metrics', () => {
  it('are parsed', () => {
    expect(metrics.get('requests_total')?.[0]).toEqual({ labels: { verb: 'GET', path: 'a"b\\c\n' }, value: 3 });
    expect(metrics.get('up')).toEqual([{ labels: {}, value: 1 }]);
    expect(metrics.has('broken')).toBe(false);
  });

  it('are summed', () => {
    expect(Object.fromEntries(sumBy(metrics, 'requests_total', 'verb'))).toEqual({ GET: 7, LIST: 100 });
    expect(sum(metrics, 'requests_total', ({ path }) => path === 'x')).toBe(104);
    expect(sum(metrics, 'none')).toBe(0);
  });

  it('survive a restart of the server', () => {
    const before = new Map([
      ['a', 5],
      ['b', 5],
    ]);
    const after = new Map([
      ['a', 7],
      ['b', 2],
      ['c', 1],
    ]);
    expect(Object.fromEntries(increase(before, after))).toEqual({ a: 2, b: 2, c: 1 });
  });

  it.each([
    [0.25, 0.05],
    [0.5, 0.1],
    [0.75, 0.55],
    [1, 1],
  ])('have quantiles: %d', (share, expected) => {
    expect(quantile(buckets(metrics, 'took'), share)).toBeCloseTo(expected);
  });

  it('have no quantile of nothing', () => {
    expect(quantile(new Map(), 0.5)).toBeNull();
    expect(quantile(new Map([['+Inf', 3]]), 0.5)).toBe(0);
  });
});
