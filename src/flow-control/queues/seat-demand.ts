/** The demand for seats over a period. */
export interface DemandObservation {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Integrates the number of seats that are in use or requested by waiting requests. */
export class SeatDemand {
  #seats = 0;
  #highest = 0;
  #area = 0;
  #squares = 0;
  #startedAt: number;
  #changedAt: number;

  constructor(now: number) {
    this.#startedAt = now;
    this.#changedAt = now;
  }

  change(by: number, now: number): void {
    this.#integrate(now);
    this.#seats += by;
    if (this.#seats > this.#highest) this.#highest = this.#seats;
  }

  /** Records a seat that was in use from one time to the other while nothing else changed. */
  recordFinished(startedAt: number, endedAt: number): void {
    this.#integrate(startedAt);
    const seats = this.#seats + 1;
    if (seats > this.#highest) this.#highest = seats;
    const duration = endedAt - startedAt;
    if (duration <= 0) return;
    this.#changedAt = endedAt;
    this.#area += seats * duration;
    this.#squares += seats * seats * duration;
  }

  /** Returns the observation of the period that ends now and starts the next one. */
  take(now: number): DemandObservation {
    this.#integrate(now);
    const duration = now - this.#startedAt;
    const average = duration > 0 ? this.#area / duration : this.#seats;
    const variance = duration > 0 ? this.#squares / duration - average * average : 0;
    const observation = { average, deviation: Math.sqrt(Math.max(0, variance)), highest: this.#highest };
    this.#area = 0;
    this.#squares = 0;
    this.#highest = this.#seats;
    this.#startedAt = now;
    return observation;
  }

  #integrate(now: number): void {
    const duration = now - this.#changedAt;
    this.#changedAt = now;
    if (duration <= 0) return;
    this.#area += this.#seats * duration;
    this.#squares += this.#seats * this.#seats * duration;
  }
}
