/** One line of the exposition: a series of a metric with its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Metrics = ReadonlyMap<string, readonly Sample[]>;

/** Parses the text format of Prometheus. Lines that it cannot parse are skipped. */
export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!match) continue;
    const [, name = '', labels = '', value = ''] = match;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels: parseLabels(labels), value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) });
    metrics.set(name, samples);
  }
  return metrics;
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name!,
      value!.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  );
}

/** Returns the sum of a metric for each value of a label. */
export function sumBy(metrics: Metrics, name: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of metrics.get(name) ?? []) {
    const key = labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

export function sum(metrics: Metrics, name: string, where: (labels: Sample['labels']) => boolean = () => true): number {
  return (metrics.get(name) ?? []).filter(({ labels }) => where(labels)).reduce((total, { value }) => total + value, 0);
}

/** Returns the increase of counters between two readings. A counter that became smaller was reset. */
export function increase(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    [...after].map(([key, value]) => {
      const old = before.get(key) ?? 0;
      return [key, value >= old ? value - old : value];
    }),
  );
}

/** Returns the buckets of a histogram, summed over all matching series: the count for each upper limit. */
export function buckets(
  metrics: Metrics,
  name: string,
  where?: (labels: Sample['labels']) => boolean,
): Map<string, number> {
  const samples = (metrics.get(`${name}_bucket`) ?? []).filter(({ labels }) => where?.(labels) ?? true);
  return sumBy(new Map([['x', samples]]), 'x', 'le');
}

/** Returns a quantile of a histogram, estimated as in Prometheus. Null if the histogram is empty. */
export function quantile(counts: ReadonlyMap<string, number>, share: number): number | null {
  const sorted = [...counts]
    .map(([limit, count]) => ({ limit: limit === '+Inf' ? Number.POSITIVE_INFINITY : Number(limit), count }))
    .sort((a, b) => a.limit - b.limit);
  const total = sorted.at(-1)?.count ?? 0;
  if (total === 0) return null;
  const rank = share * total;
  const index = sorted.findIndex(({ count }) => count >= rank);
  const { limit, count } = sorted[index]!;
  const below = sorted[index - 1] ?? { limit: 0, count: 0 };
  if (!Number.isFinite(limit)) return below.limit;
  return count === below.count
    ? limit
    : below.limit + ((limit - below.limit) * (rank - below.count)) / (count - below.count);
}
