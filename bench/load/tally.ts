import { cpuSeconds, mainThreadSeconds } from '../servers/cpu-time.ts';
import { percentile } from '../statistics.ts';
import type { LoadResult } from './load-plan.ts';

/**
 * Counts the responses between two points in time, and what they cost the server and the load generator. Handshakes before
 * the first point do not count.
 */
export class Tally {
  readonly #pid: number | undefined;
  #begin = 0;
  #bodyBytes = 0;
  #busy = performance.eventLoopUtilization();
  #cpu = process.cpuUsage();
  #server = unknownTimes;
  readonly #latencies: number[] = [];

  /** `pid` is that of the server. */
  constructor(pid?: number) {
    this.#pid = pid;
  }

  begin(at: number): void {
    this.#begin = at;
    this.#busy = performance.eventLoopUtilization();
    this.#cpu = process.cpuUsage();
    this.#server = serverTimes(this.#pid);
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
    const server = serverTimes(this.#pid);
    const perRequest = (seconds: number) => (seconds * 1e6) / this.requests;
    return {
      requests: this.requests,
      seconds: (at - this.#begin) / 1000,
      bodyBytes: this.#bodyBytes,
      p50Ms: percentile(this.#latencies, 0.5),
      p99Ms: percentile(this.#latencies, 0.99),
      busy: performance.eventLoopUtilization(this.#busy).utilization,
      clientMicros: (user + system) / this.requests,
      cpuMicrosPerRequest: perRequest(server.all - this.#server.all),
      mainMicrosPerRequest: perRequest(server.main - this.#server.main),
    };
  }
}

const unknownTimes = { all: Number.NaN, main: Number.NaN };

function serverTimes(pid: number | undefined): typeof unknownTimes {
  if (pid === undefined) return unknownTimes;
  return { all: cpuSeconds(pid) ?? Number.NaN, main: mainThreadSeconds(pid) ?? Number.NaN };
}
