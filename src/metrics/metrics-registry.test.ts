import { describe, expect, it } from 'vitest';
import { MetricsRegistry } from './metrics-registry.ts';

const text = (registry: MetricsRegistry) => registry.render({ isOpenMetrics: false });
const openMetrics = (registry: MetricsRegistry) => registry.render({ isOpenMetrics: true });

describe('MetricsRegistry', () => {
  it('renders counters, gauges and histograms in the order of their names', async () => {
    const registry = new MetricsRegistry();
    const waits = registry.histogram({ name: 'wait_seconds', help: 'Waits.', labels: ['who'], buckets: [0.1, 1, 5] });
    for (const value of [0.05, 0.1, 0.5, 7]) waits.of('me').observe(value);
    const requests = registry.counter({ name: 'requests_total', help: 'All\nrequests.', labels: ['code', 'path'] });
    requests.of('200', 'a"b\\c\nd').add();
    requests.of('200', 'a"b\\c\nd').add(2);
    const depth = registry.gauge({ name: 'depth', help: 'Depth.', labels: [] });
    depth.of().set(5);
    depth.of().add(-7);
    expect(await text(registry)).toBe(
      [
        '# HELP depth Depth.',
        '# TYPE depth gauge',
        'depth -2',
        '# HELP requests_total All\\nrequests.',
        '# TYPE requests_total counter',
        'requests_total{code="200",path="a\\"b\\\\c\\nd"} 3',
        '# HELP wait_seconds Waits.',
        '# TYPE wait_seconds histogram',
        'wait_seconds_bucket{who="me",le="0.1"} 2',
        'wait_seconds_bucket{who="me",le="1"} 3',
        'wait_seconds_bucket{who="me",le="5"} 3',
        'wait_seconds_bucket{who="me",le="+Inf"} 4',
        'wait_seconds_sum{who="me"} 7.65',
        'wait_seconds_count{who="me"} 4',
        '',
      ].join('\n'),
    );
  });

  it('renders OpenMetrics, where families of counters have no suffix', async () => {
    const registry = new MetricsRegistry();
    registry.counter({ name: 'requests_total', help: 'Say "hi".', labels: [] }).of().add(3);
    registry.counter({ name: 'rejection_count', help: 'Rejections.', labels: [] }).of().add(1);
    registry
      .histogram({ name: 'sizes', help: 'Sizes.', labels: [], buckets: [10, 0.5 + 10] })
      .of()
      .observe(10.2);
    expect(await openMetrics(registry)).toBe(
      [
        '# HELP rejection_count Rejections.',
        '# TYPE rejection_count counter',
        'rejection_count_total 1',
        '# HELP requests Say \\"hi\\".',
        '# TYPE requests counter',
        'requests_total 3',
        '# HELP sizes Sizes.',
        '# TYPE sizes histogram',
        'sizes_bucket{le="10.0"} 0',
        'sizes_bucket{le="10.5"} 1',
        'sizes_bucket{le="+Inf"} 1',
        'sizes_sum 10.2',
        'sizes_count 1',
        '# EOF',
        '',
      ].join('\n'),
    );
  });

  it('leaves out families without series', async () => {
    const registry = new MetricsRegistry();
    const family = registry.gauge({ name: 'size_bytes', help: 'Size.', labels: ['of'] });
    expect(await text(registry)).toBe('');
    family.of('a').set(1);
    expect(await text(registry)).toContain('size_bytes{of="a"} 1');
    family.remove('a');
    expect(await text(registry)).toBe('');
  });

  it('bounds the number of series', async () => {
    const registry = new MetricsRegistry();
    const family = registry.counter({ name: 'seen_total', help: 'Seen.', labels: ['name', 'kind'], limit: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'a']) family.of(name, 'x').add();
    expect((await text(registry)).split('\n').filter((line) => line.startsWith('seen_total'))).toEqual([
      'seen_total{name="a",kind="x"} 2',
      'seen_total{name="b",kind="x"} 1',
      'seen_total{name="other",kind="other"} 2',
    ]);
  });

  it('resets counters and histograms, but not gauges', async () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter({ name: 'a_total', help: 'A.', labels: [] }).of();
    const gauge = registry.gauge({ name: 'b', help: 'B.', labels: [] }).of();
    const histogram = registry.histogram({ name: 'c_seconds', help: 'C.', labels: [], buckets: [1] }).of();
    counter.add(4);
    gauge.set(4);
    histogram.observe(4);
    registry.reset();
    expect(await text(registry)).toMatch(/^a_total 0$.*^b 4$.*^c_seconds_sum 0$.*^c_seconds_count 0$/ms);
    counter.add(1);
    expect(await text(registry)).toContain('a_total 1\n');
  });

  it('updates numbers before they are read, whether or not one of them fails', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'now', help: 'Now.', labels: [] }).of();
    registry.beforeReading(() => {
      throw new Error('not today');
    });
    registry.beforeReading(async () => gauge.set(3));
    expect(await text(registry)).toContain('now 3\n');
  });

  it.each([
    ['other labels', { name: 'a_total', help: 'A.', labels: ['y'] }, /already defined/],
    ['another text', { name: 'a_total', help: 'B.', labels: ['x'] }, /already defined/],
    ['a bad name', { name: 'a-b', help: 'A.', labels: [] }, /not a name/],
    ['a bad label', { name: 'b_total', help: 'A.', labels: ['a b'] }, /not a name/],
  ])('rejects a definition with %s', (_, instrument, message) => {
    const registry = new MetricsRegistry();
    const first = registry.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
    expect(registry.counter({ name: 'a_total', help: 'A.', labels: ['x'] })).toBe(first);
    expect(() => registry.counter(instrument)).toThrow(message);
    expect(() => registry.gauge({ name: 'a_total', help: 'A.', labels: ['x'] })).toThrow(/already defined/);
  });

  it('rejects buckets that do not ascend and values that do not fit the labels', () => {
    const registry = new MetricsRegistry();
    expect(() => registry.histogram({ name: 'a', help: 'A.', labels: [], buckets: [1, 1] })).toThrow(/ascend/);
    const family = registry.counter({ name: 'b_total', help: 'B.', labels: ['x'] }) as { of(...v: string[]): unknown };
    expect(() => family.of('1', '2')).toThrow(/labels x/);
  });
});

describe('a number that each registry has', () => {
  type Numbers = Readonly<Record<string, readonly [number: number, at: number]>>;

  it.each<['first' | 'latest', Numbers, readonly Numbers[], Readonly<Record<string, number>>]>([
    ['first', { a: [1, 0], c: [2, 0] }, [{ a: [5, 0], b: [6, 0] }, { b: [7, 0] }], { a: 1, b: 6, c: 2 }],
    ['latest', { a: [1, 100], b: [2, 200] }, [{ a: [5, 200], b: [6, 100] }, { a: [7, 150] }], { a: 5, b: 2 }],
  ])('is taken from the one that has it %s', async (together, own, others, expected) => {
    const registryWith = (numbers: Numbers): MetricsRegistry => {
      const registry = new MetricsRegistry();
      const gauge = registry.gauge({ name: 'last', help: 'Last.', labels: ['name'], together });
      for (const [name, [number, at]] of Object.entries(numbers)) gauge.of(name).set(number, at);
      return registry;
    };
    const snapshots = await Promise.all(others.map((other) => registryWith(other).snapshot()));
    const combined = await registryWith(own).with(snapshots);
    const lines = (await combined.render({ isOpenMetrics: false })).split('\n').filter((line) => /^last/.test(line));
    const shown = Object.entries(expected).map(([name, number]) => `last{name="${name}"} ${number}`);
    expect(lines.toSorted()).toEqual(shown);
  });
});
