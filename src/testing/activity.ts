import type { ServerComponents } from '../server/index.ts';

export interface QuietOptions {
  /** How long nothing may be written. Default: 20 ms of real time. */
  readonly forMs?: number;
  /** Key prefixes of ignored writes, such as `leases` or `events/default`. The server's own leases never count. */
  readonly ignore?: readonly string[];
  /** Rejects after this time. Default: 30 s. */
  readonly timeoutMs?: number;
}

const pollMs = 2;
const defaultTimeoutMs = 30_000;

const maxWrites = 2000;
const alwaysIgnored = ['leases/kube-system/keelson-controllers', 'leases/kube-system/apiserver-'];

/** Tracks the activity of a server. */
export class Activity {
  readonly #components: ServerComponents;
  readonly #watching = new AbortController();
  /** The last written keys, such as `configmaps/default/a`, with their times. */
  #lastWrites: { readonly key: string; readonly at: number }[] = [];

  private constructor(components: ServerComponents) {
    this.#components = components;
  }

  static async follow(components: ServerComponents): Promise<Activity> {
    const activity = new Activity(components);
    const { store } = components;
    await store.watch({
      prefix: '',
      after: await store.latestRevision(),
      withoutPrevious: true,
      onEvents: (events) => {
        const at = performance.now();
        for (const { key } of events) activity.#wrote(key.replace(/^\/registry\//, ''), at);
      },
      // The storage watch fails only when the server has stopped.
      onError: () => {},
      signal: activity.#watching.signal,
    });
    return activity;
  }

  stop(): void {
    this.#watching.abort();
  }

  #wrote(key: string, at: number): void {
    this.#lastWrites.push({ key, at });
    if (this.#lastWrites.length > maxWrites) this.#lastWrites = this.#lastWrites.slice(-maxWrites / 2);
  }

  /** The current activity of the server. Undefined if there is none. */
  get work(): string | undefined {
    const { inFlight, watches, controllers } = this.#components;
    if (inFlight.running > 0) return `${inFlight.running} requests are running`;
    const behind = watches.behind();
    if (behind > 0) return `${behind} watches have events to send`;
    const busy = controllers.busy;
    return busy.length > 0 ? `controllers have work: ${busy.join(', ')}` : undefined;
  }

  async untilQuiet({ forMs = 20, ignore = [], timeoutMs = defaultTimeoutMs }: QuietOptions = {}): Promise<void> {
    const ignored = [...ignore, ...alwaysIgnored];
    const matters = (key: string): boolean => !ignored.some((prefix) => key.startsWith(prefix));
    const started = performance.now();
    let since = started;
    for (;;) {
      const { work } = this;
      const now = performance.now();
      const last = this.#lastWrites.findLast(({ key }) => matters(key));
      if (work !== undefined) since = now;
      else if (now - Math.max(since, last?.at ?? 0) >= forMs) return;
      if (now - started > timeoutMs) {
        throw new Error(`the server is not quiet after ${timeoutMs} ms: ${work ?? `${last?.key} was written`}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async untilSeen(client: string, revision: number): Promise<void> {
    const { store, watches } = this.#components;
    const started = performance.now();
    const isSeen = async (): Promise<boolean> =>
      (await store.latestRevision()) >= revision && watches.behind(client) === 0;
    // Events are queued for watches in the turn of the write, or in the next.
    await new Promise((resolve) => setImmediate(resolve));
    while (!(await isSeen())) {
      if (performance.now() - started > defaultTimeoutMs) {
        throw new Error(`the watches of ${client} have not been sent revision ${revision}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Resolves when no request runs and no controller has work. */
  async untilIdle(): Promise<void> {
    await this.untilQuiet({ forMs: 0 });
  }
}
