import { relative } from 'node:path';
import { ForksPoolWorker, type PoolRunnerInitializer } from 'vitest/node';

type Options = ConstructorParameters<typeof ForksPoolWorker>[0];
type Request = Parameters<ForksPoolWorker['send']>[0];
type Listener = Parameters<ForksPoolWorker['on']>[1];

const poolName = 'limited-forks';

export interface LimitedPoolOptions {
  /**
   * The maximum time without a report from a file, such as the end of a test. The duration of a file is not limited,
   * because it depends on the machine.
   */
  readonly silenceTimeoutMs: number;
  /** The maximum number of files in a process that files share (`isolate: false`). */
  readonly maxFilesPerProcess: number;
  /** The maximum time from the last file to the end of the process. Vitest's `teardownTimeout` must be longer. */
  readonly stopTimeoutMs: number;
}

/**
 * Runs files in processes, like vitest's own pool, but kills a file that makes no progress and reports it by name. The
 * timeouts of tests are timers in the process of the file, and do not help when its event loop is blocked.
 */
export function limitedPool(limits: LimitedPoolOptions): PoolRunnerInitializer {
  return { name: poolName, createPoolWorker: (options) => new LimitedWorker(options, limits) };
}

class LimitedWorker extends ForksPoolWorker {
  override readonly name = poolName;
  readonly #limits: LimitedPoolOptions;
  readonly #root: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  #files = '';
  #fileCount = 0;
  /** Whether a file was killed, so that the process may be blocked. */
  #isAbandoned = false;
  /** Whether files are running, as opposed to the process stopping. */
  #runs = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options, limits: LimitedPoolOptions) {
    super(options);
    this.#limits = limits;
    this.#root = options.project.vitest.config.root;
  }

  override async start(): Promise<void> {
    await super.start();
    super.on('message', (message: { readonly type?: unknown } | undefined) => {
      if (message?.type === 'testfileFinished' || message?.type === 'stopped') this.#endLimit();
      else if (this.#runs) this.#timer?.refresh();
    });
  }

  override async stop(): Promise<void> {
    this.#endLimit();
    await super.stop();
  }

  override on(event: string, listener: Listener): void {
    super.on(event, listener);
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  override off(event: string, listener: Listener): void {
    super.off(event, listener);
    this.#listeners.get(event)?.delete(listener);
  }

  /** Vitest asks before it gives another file to a process that files share. */
  canReuse(): boolean {
    return !this.#isAbandoned && this.#fileCount < this.#limits.maxFilesPerProcess;
  }

  override send(request: Request): void {
    super.send(request);
    const { silenceTimeoutMs, stopTimeoutMs } = this.#limits;
    if (request.type === 'run') {
      this.#runs = true;
      const { files } = request.context;
      this.#fileCount += files.length;
      this.#files = files.map(({ filepath }) => relative(this.#root, filepath)).join(', ');
      this.#limit(silenceTimeoutMs, 'told nothing for', (error) => {
        this.#isAbandoned = true;
        this.#emit('error', error);
      });
    } else if (request.type === 'stop') {
      this.#runs = false;
      this.#limit(stopTimeoutMs, 'did not end within', (error) => {
        // Vitest may have printed the results already.
        console.error(error.message);
        process.exitCode = 1;
        this.#emit('message', { __vitest_worker_response__: true, type: 'stopped' });
      });
    }
  }

  /** After a report vitest stops this worker with SIGTERM, and half a second later with SIGKILL. */
  #limit(ms: number, fault: string, report: (error: Error) => void): void {
    this.#endLimit();
    this.#timer = setTimeout(() => report(new Error(`${this.#files} ${fault} ${ms / 1000} s and was killed`)), ms);
  }

  #endLimit(): void {
    clearTimeout(this.#timer);
    // Undefined, so that the timer can be started again.
    this.#timer = undefined;
  }

  #emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }
}
