import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../bench.ts';
import { endChild } from '../end-child.ts';
import type { LoadPlan, LoadReply, LoadResult, Target } from './load-plan.ts';

const program = new URL('../load-client.ts', import.meta.url);

/** The bench's handle on the process that makes the load. */
export class LoadGenerator {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** A fixture: one load generator serves the whole run and loads every server alike. */
  static async start(bench: Bench): Promise<LoadGenerator> {
    const child = fork(program, { serialization: 'advanced' });
    bench.cleanup.add(() => endChild(child, 'SIGKILL'));
    await once(child, 'spawn');
    return new LoadGenerator(child);
  }

  /** One run at a time. An answer that is not a success fails it, with what the server said. */
  async run(target: Target, plan: LoadPlan): Promise<LoadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<LoadReply>();
    const onExit = () => reject(new Error('the load generator has ended'));
    this.#child.once('message', resolve);
    this.#child.once('exit', onExit);
    try {
      this.#child.send({ target, plan });
      const reply = await promise;
      if ('result' in reply) return reply.result;
      throw new Error(`${plan.request.method} ${plan.request.path} over ${plan.protocol}: ${reply.error}`);
    } finally {
      this.#child.off('message', resolve);
      this.#child.off('exit', onExit);
    }
  }
}
