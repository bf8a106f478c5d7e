import { buckets, increase, type Metrics, parseMetrics, quantile, sum, sumBy } from './metrics.ts';

/** The values from one reading of the metrics, as rates since the previous reading. */
export interface Reading {
  /** Seconds. */
  readonly time: number;
  readonly byVerb: ReadonlyMap<string, number>;
  readonly byCode: ReadonlyMap<string, number>;
  readonly median: number | null;
  readonly slowest: number | null;
  readonly watchers: number;
  readonly running: number;
  readonly memory: number;
  readonly lag: number;
  readonly executing: ReadonlyMap<string, number>;
  readonly queued: number;
}

export interface SlowRow {
  readonly what: string;
  readonly count: number;
  readonly median: number;
  readonly slowest: number;
}

const requests = 'apiserver_request_total';
const durations = 'apiserver_request_duration_seconds';
const isShort = ({ verb }: Readonly<Record<string, string>>) => verb !== 'WATCH' && verb !== 'CONNECT';
/** Ten minutes with one reading every two seconds. */
const maxReadings = 300;

/** The last readings of the server's metrics. */
export class ServerHistory {
  readings: readonly Reading[] = [];
  latest: Metrics = new Map();
  #time = 0;

  add(text: string, time: number): void {
    const metrics = parseMetrics(text);
    const before = this.latest;
    const seconds = time - this.#time;
    this.latest = metrics;
    this.#time = time;
    if (before.size === 0 || seconds <= 0) return;
    const rates = (label: string) => {
      const grown = increase(sumBy(before, requests, label), sumBy(metrics, requests, label));
      return new Map([...grown].map(([key, value]) => [key, value / seconds]));
    };
    const took = increase(buckets(before, durations, isShort), buckets(metrics, durations, isShort));
    const reading = {
      time,
      byVerb: rates('verb'),
      byCode: rates('code'),
      median: quantile(took, 0.5),
      slowest: quantile(took, 0.99),
      watchers: sum(metrics, 'apiserver_longrunning_requests', ({ verb }) => verb === 'WATCH'),
      running: sum(metrics, 'apiserver_current_inflight_requests'),
      memory: sum(metrics, 'process_resident_memory_bytes'),
      lag: sum(metrics, 'nodejs_eventloop_lag_p99_seconds'),
      executing: sumBy(metrics, 'apiserver_flowcontrol_current_executing_seats', 'priority_level'),
      queued: sum(metrics, 'apiserver_flowcontrol_current_inqueue_requests'),
    };
    this.readings = [...this.readings, reading].slice(-maxReadings);
  }

  /** Returns the kinds of requests that took longest since the server started. */
  slowRequests(limit: number): SlowRow[] {
    const series = Map.groupBy(this.latest.get(`${durations}_bucket`) ?? [], ({ labels }) =>
      isShort(labels) ? `${labels.verb} ${labels.resource}${labels.subresource ? `/${labels.subresource}` : ''}` : '',
    );
    return [...series]
      .filter(([what]) => what !== '')
      .map(([what, samples]) => {
        const counts = sumBy(new Map([['x', samples]]), 'x', 'le');
        return {
          what,
          count: counts.get('+Inf') ?? 0,
          median: quantile(counts, 0.5) ?? 0,
          slowest: quantile(counts, 0.99) ?? 0,
        };
      })
      .sort((a, b) => b.slowest - a.slowest || b.count - a.count)
      .slice(0, limit);
  }

  /** Returns the largest series of one kind of reading, for a plot. */
  series(pick: (reading: Reading) => ReadonlyMap<string, number>, limit: number): { name: string; values: number[] }[] {
    const totals = new Map<string, number>();
    for (const reading of this.readings) {
      for (const [key, value] of pick(reading)) totals.set(key, (totals.get(key) ?? 0) + value);
    }
    const names = [...totals].sort((a, b) => b[1] - a[1]).slice(0, limit);
    return names
      .map(([name]) => ({ name, values: this.readings.map((reading) => pick(reading).get(name) ?? 0) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
