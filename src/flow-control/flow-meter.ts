import type { Counter, Family, Gauge, Histogram, Meter } from '../meta/meter.ts';
import type { Refusal } from './queues/queue-set.ts';

/** Why a request was not executed. */
export type RejectReason = Refusal | 'time-out' | 'cancelled';

/** The type of a request in the histogram of durations. */
type ExecutionType = 'regular' | 'watch';

const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const lengths = [0, 10, 25, 50, 100, 250, 500, 1000];
const seats = [1, 2, 4, 10];
const byLevel = ['priority_level'] as const;
const bySchema = ['priority_level', 'flow_schema'] as const;

/** The series of one flow schema. */
export class SchemaSeries {
  readonly dispatched: Counter;
  readonly rejected: (reason: RejectReason) => Counter;
  readonly waited: { readonly executed: Histogram; readonly refused: Histogram };
  readonly took: Readonly<Record<ExecutionType, Histogram>>;
  readonly queueLength: Histogram;
  readonly estimated: Histogram;
  readonly inQueue: Gauge;
  readonly executing: Gauge;

  constructor(meter: Meter, { level, schema }: { readonly level: string; readonly schema: string }) {
    const labelValues = [level, schema] as const;
    const name = (tail: string) => `apiserver_flowcontrol_${tail}`;
    const rejected = meter.counter({
      name: name('rejected_requests_total'),
      help: 'Number of requests rejected by API Priority and Fairness subsystem',
      labels: [...bySchema, 'reason'] as const,
    });
    const waited = meter.histogram({
      name: name('request_wait_duration_seconds'),
      help: 'Length of time a request spent waiting in its queue',
      labels: [...bySchema, 'execute'] as const,
      buckets: seconds,
    });
    const took = meter.histogram({
      name: name('request_execution_seconds'),
      help: 'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution',
      labels: [...bySchema, 'type'] as const,
      buckets: seconds,
    });
    const gauge = (tail: string, help: string): Gauge =>
      meter.gauge({ name: name(tail), help, labels: bySchema }).of(...labelValues);
    const histogram = (
      tail: string,
      about: { readonly help: string; readonly buckets: readonly number[] },
    ): Histogram => meter.histogram({ name: name(tail), labels: bySchema, ...about }).of(...labelValues);
    this.dispatched = meter
      .counter({ name: name('dispatched_requests_total'), help: 'Number of requests executed', labels: bySchema })
      .of(...labelValues);
    this.rejected = (reason) => rejected.of(...labelValues, reason);
    this.waited = { executed: waited.of(...labelValues, 'true'), refused: waited.of(...labelValues, 'false') };
    this.took = { regular: took.of(...labelValues, 'regular'), watch: took.of(...labelValues, 'watch') };
    this.queueLength = histogram('request_queue_length_after_enqueue', {
      help: 'Length of queue as seen by each request after it is enqueued',
      buckets: lengths,
    });
    this.estimated = histogram('work_estimated_seats', {
      help: 'Number of estimated seats (maximum of initial and final seats) associated with requests',
      buckets: seats,
    });
    this.inQueue = gauge('current_inqueue_requests', 'Number of requests currently pending in queues');
    this.executing = gauge('current_executing_requests', 'Number of requests in initial execution stage');
  }

  /** Records that a request with one seat was executed at once. */
  executedAtOnce(ms: number): void {
    this.dispatched.add();
    this.estimated.observe(1);
    this.took.regular.observe(ms / 1000);
  }
}

/** The gauges of a level, computed when the metrics are read. */
export interface LevelNumbers {
  readonly name: string;
  readonly nominal: number;
  readonly lowest: number;
  readonly highest: number;
  readonly current: number;
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
  readonly target: number;
  readonly smoothedDemand: number;
}

type NumberName = Exclude<keyof LevelNumbers, 'name'>;

const gauges: Readonly<Record<NumberName, readonly [name: string, help: string]>> = {
  nominal: ['nominal_limit_seats', 'Nominal number of execution seats configured for each priority level'],
  lowest: ['lower_limit_seats', 'Configured lower bound on number of execution seats available to each priority level'],
  highest: [
    'upper_limit_seats',
    'Configured upper bound on number of execution seats available to each priority level',
  ],
  current: ['current_limit_seats', 'Current derived number of execution seats available to each priority level'],
  seatsInUse: ['current_executing_seats', 'Concurrency (number of seats) occupied by the currently executing requests'],
  seatsWaiting: ['current_inqueue_seats', 'Number of seats currently pending in queues'],
  target: ['target_seats', 'Seat allocation targets'],
  smoothedDemand: ['demand_seats_smoothed', 'Smoothed seat demands'],
};

/** Reports flow control to a meter, under the names and labels of kube-apiserver. */
export class FlowMeter {
  readonly #meter: Meter;
  readonly #fairFraction: Gauge;
  readonly #levels: ReadonlyMap<NumberName, Family<Gauge, typeof byLevel>>;
  #named = new Set<string>();

  /** `levels` is called when the metrics are read. */
  constructor(meter: Meter, levels: () => readonly LevelNumbers[]) {
    this.#meter = meter;
    this.#fairFraction = meter
      .gauge({
        name: 'apiserver_flowcontrol_seat_fair_frac',
        help: 'Fair fraction of server seats',
        labels: [],
        together: 'most',
      })
      .of();
    this.#levels = new Map(
      (Object.keys(gauges) as NumberName[]).map((key) => {
        const [name, help] = gauges[key];
        const instrument = { name: `apiserver_flowcontrol_${name}`, help, labels: byLevel };
        // All threads have the same limits, but the used seats are added up.
        const addsUp = key === 'seatsInUse' || key === 'seatsWaiting';
        return [key, meter.gauge(addsUp ? instrument : { ...instrument, together: 'most' })];
      }),
    );
    meter.beforeReading(() => this.#read(levels()));
  }

  adjusted(fairFraction: number): void {
    this.#fairFraction.set(fairFraction);
  }

  schema(level: string, schema: string): SchemaSeries {
    return new SchemaSeries(this.#meter, { level, schema });
  }

  #read(levels: readonly LevelNumbers[]): void {
    const names = new Set(levels.map(({ name }) => name));
    for (const [key, family] of this.#levels) {
      for (const level of levels) family.of(level.name).set(level[key]);
      for (const gone of this.#named) if (!names.has(gone)) family.remove(gone);
    }
    this.#named = names;
  }
}
