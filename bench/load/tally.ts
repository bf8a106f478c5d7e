import { percentile } from '../statistics.ts';
import type { LoadResult } from './load-plan.ts';

/** Counts the responses between two points in time. */
export class Tally {
  #begin = 0;
  #bodyBytes = 0;
  #busy = performance.eventLoopUtilization();
  #cpu = process.cpuUsage();
  readonly #latencies: number[] = [];

  begin(at: number): void {
    this.#begin = at;
    this.#busy = performance.eventLoopUtilization();
    this.#cpu = process.cpuUsage();
  }

  get begun(): boolean {
    return this.#begin > 0;
  }

  get beganAt(): number {
    return this.#begin;
  }

  get requests(): number {
    return this.#latencies.length;
  }

  count(latency: number, bodyBytes: number): void {
    this.#latencies.push(latency);
    this.#bodyBytes += bodyBytes;
  }

  end(at: number): Omit<LoadResult, 'allRequests'> {
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      requests: this.requests,
      seconds: (at - this.#begin) / 1000,
      bodyBytes: this.#bodyBytes,
      p50Ms: percentile(this.#latencies, 0.5),
      p99Ms: percentile(this.#latencies, 0.99),
      busy: performance.eventLoopUtilization(this.#busy).utilization,
      clientMicros: (user + system) / this.requests,
    };
  }
}
