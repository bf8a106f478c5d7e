import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../bench.ts';
import { endChild } from '../end-child.ts';
import type { LoadPlan, LoadResult, Target } from './load-plan.ts';
import type { Jobs, Order, Reply } from './order.ts';
import type { FanOutPlan, FanOutResult, WatchLatencyPlan, WatchLatencyResult, WatchPlan } from './watch-plans.ts';

const program = new URL('../load-client.ts', import.meta.url);

/** Controls the load generator process. It runs one job at a time. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  readonly #end: () => Promise<void>;

  private constructor(child: ChildProcess, end: () => Promise<void>) {
    this.#child = child;
    this.#end = end;
  }

  /** A fixture: one load generator for the whole run, so that every server gets the same load. */
  static async start(bench: Bench): Promise<LoadGenerator> {
    const child = fork(program, { serialization: 'advanced' });
    const end = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
    await once(child, 'spawn');
    return new LoadGenerator(child, end);
  }

  /** Fails the run with the server's message when a response is not a success. */
  async run(target: Target, plan: LoadPlan): Promise<LoadResult> {
    const { protocol, request } = plan;
    return this.#run({ job: 'load', target, plan }, `${request.method} ${request.path} over ${protocol}`);
  }

  async fanOut(target: Target, plan: FanOutPlan): Promise<FanOutResult> {
    return this.#run({ job: 'fanOut', target, plan }, `fan-out of ${plan.watch.path}`);
  }

  async watchLatency(target: Target, plan: WatchLatencyPlan): Promise<WatchLatencyResult> {
    return this.#run({ job: 'watchLatency', target, plan }, `watch of ${plan.path}`);
  }

  /** Resolves when the server has accepted all watches. They stay open until `stop`. */
  async holdWatches(target: Target, plan: WatchPlan): Promise<number> {
    return this.#run({ job: 'holdWatches', target, plan }, `watches of ${plan.path}`);
  }

  /** Fails when the process has already ended, because the watches it held are gone. */
  async stop(): Promise<void> {
    const { exitCode } = this.#child;
    await this.#end();
    if (exitCode !== null) throw new Error(`the load generator ended early, code ${exitCode}`);
  }

  async #run<Job extends keyof Jobs>(order: Order<Job>, what: string): Promise<Awaited<ReturnType<Jobs[Job]>>> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const onExit = () => reject(new Error('the load generator has ended'));
    this.#child.once('message', resolve);
    this.#child.once('exit', onExit);
    try {
      this.#child.send(order);
      const reply = await promise;
      if ('result' in reply) return reply.result as Awaited<ReturnType<Jobs[Job]>>;
      throw new Error(`${what}: ${reply.error}`);
    } finally {
      this.#child.off('message', resolve);
      this.#child.off('exit', onExit);
    }
  }
}
