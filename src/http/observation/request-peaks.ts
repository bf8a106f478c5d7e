import type { Instrument, Meter } from '../../meta/meter.ts';
import type { RequestInfo } from '../request-info.ts';
import { isMutating } from './request-labels.ts';

const windowMs = 1000;

/**
 * The number of concurrent requests. It changes too quickly for sampling, so the gauge shows the maximum of the last
 * second.
 */
export class RequestPeaks {
  readonly #readOnly = new Peak();
  readonly #mutating = new Peak();

  constructor(meter: Meter, instrument: Pick<Instrument, 'name' | 'help'>) {
    const gauge = meter.gauge({ ...instrument, labels: ['request_kind'] });
    const readOnly = gauge.of('readOnly');
    const mutating = gauge.of('mutating');
    meter.beforeReading(() => {
      const now = performance.now();
      readOnly.set(this.#readOnly.highest(now));
      mutating.set(this.#mutating.highest(now));
    });
  }

  of(info: RequestInfo): Peak {
    return isMutating(info) ? this.#mutating : this.#readOnly;
  }
}

/** The highest value of a number in the last complete second and the current one. */
class Peak {
  #current = 0;
  #highest = 0;
  #before = 0;
  #windowEnds = 0;

  /** Counts a request that starts at `now`, a time of `performance.now()`. */
  begin(now: number): void {
    if (now >= this.#windowEnds) this.#turn(now);
    this.#current++;
    if (this.#current > this.#highest) this.#highest = this.#current;
  }

  /** Counts a request that started at this time and ended before any other could start. */
  pass(now: number): void {
    if (now >= this.#windowEnds) this.#turn(now);
    if (this.#current >= this.#highest) this.#highest = this.#current + 1;
  }

  end(): void {
    this.#current--;
  }

  highest(now: number): number {
    if (now >= this.#windowEnds) this.#turn(now);
    return Math.max(this.#highest, this.#before);
  }

  #turn(now: number): void {
    this.#before = now < this.#windowEnds + windowMs ? this.#highest : this.#current;
    this.#highest = this.#current;
    this.#windowEnds = now + windowMs;
  }
}
