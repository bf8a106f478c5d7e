import { Agent, type RequestOptions, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from '../load/load-plan.ts';

const writers = 6;
const watchers = 40;
/** The number of objects of each kind per writer. They are created, changed and deleted repeatedly. */
const names = 150;
/** A prime, so that writing all names once uses objects of many sizes. */
const maxRepeats = 299;
/**
 * The time between two requests of a writer. The load is that of a busy server, not of a benchmark. It is the same on
 * fast and slow machines, because the amount of history and events that the server keeps depends on it.
 */
const paceMs = 25;
const watchMs = { min: 2000, max: 20_000 };
const namespace = 'soak';
const paths = {
  configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
  leases: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
  events: `/api/v1/namespaces/${namespace}/events`,
};
const collections = Object.values(paths);

/** Writers, readers and watchers that come and go, on one server. A failed request ends the load. */
export class MixedLoad {
  readonly #target: Target;
  readonly #agent: Agent;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  #requests = 0;
  #events = 0;
  #watches = 0;
  readonly #filled = Promise.withResolvers<void>();
  #filling = writers;

  constructor(target: Target) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: writers });
  }

  async start(): Promise<void> {
    await this.#call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    this.#running = Promise.all([
      ...Array.from({ length: writers }, (_, writer) => this.#write(writer)),
      ...Array.from({ length: watchers }, (_, watcher) => this.#watchForever(watcher)),
    ]);
    this.#running.catch((error) => {
      this.#failure = error;
    });
  }

  /** Resolves when the number of objects does not grow any more. Rejects when a request has failed. */
  filled(): Promise<void> {
    return Promise.race([this.#filled.promise, this.#running.then(() => {})]);
  }

  /** Throws when a request has failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves with a summary of the requests. Rejects when a request has failed. */
  async stop(): Promise<string> {
    this.#stop.abort();
    await this.#running;
    this.#agent.destroy();
    return `${this.#requests} requests, ${this.#watches} watches, ${this.#events} bytes of events`;
  }

  async #write(writer: number): Promise<void> {
    const call = this.#paced();
    for (let turn = 0; !this.#stop.signal.aborted; turn++) {
      if (turn === names && --this.#filling === 0) this.#filled.resolve();
      const name = `${writer}-${turn % names}`;
      const item = `${paths.configMaps}/${name}`;
      const metadata = { name, namespace };
      await call('PUT', item, { metadata, data: { text: `${wide(turn)} `.repeat((turn * 37) % maxRepeats) } });
      await call('GET', item);
      await call('PATCH', `${paths.leases}/${name}?fieldManager=soak`, leaseOf(name, turn));
      if (turn % 2 === 0) await call('DELETE', item);
      if (turn % 5 === 0) await call('POST', paths.events, eventOf(writer, turn));
      if (turn % 20 === 0) await call('GET', `${collections[turn % collections.length]!}?limit=500`);
    }
  }

  async #watchForever(watcher: number): Promise<void> {
    // Spreads the watchers, so that they do not reconnect all at once.
    await delay((watcher * watchMs.max) / watchers, undefined, { signal: this.#stop.signal }).catch(() => {});
    for (let turn = watcher; !this.#stop.signal.aborted; turn++) {
      const ms = watchMs.min + ((turn * 7919) % (watchMs.max - watchMs.min));
      await this.#watch(collections[turn % collections.length]!, ms);
    }
  }

  /** Reads a watch until the time is over, then closes its connection like a client that exits. */
  #watch(path: string, ms: number): Promise<void> {
    this.#watches += 1;
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#options('GET', `${path}?watch=true`), agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`the watch of ${path} was answered ${response.statusCode}`));
        response.on('data', (chunk: Buffer) => {
          this.#events += chunk.length;
        });
        response.on('error', () => {});
      });
      let isEnded = false;
      const end = (): void => {
        isEnded = true;
        clearTimeout(timer);
        sent.destroy();
      };
      const timer = setTimeout(end, ms);
      this.#stop.signal.addEventListener('abort', end, { once: true });
      sent.on('error', (error) => {
        if (!isEnded) reject(error);
      });
      sent.on('close', () => {
        this.#stop.signal.removeEventListener('abort', end);
        resolve();
      });
      sent.end();
    });
  }

  /**
   * Returns a function that sends requests one after the other. Each request waits for its time and for the response to
   * the previous one.
   */
  #paced(): (method: string, path: string, body?: object) => Promise<void> {
    let next = performance.now();
    return async (method, path, body) => {
      await delay(Math.max(0, next - performance.now()));
      next = Math.max(next + paceMs, performance.now());
      await this.#call(method, path, body);
    };
  }

  #call(method: string, path: string, body?: object): Promise<void> {
    this.#requests += 1;
    return new Promise<void>((resolve, reject) => {
      const sent = request(this.#options(method, path), (response) => {
        const { statusCode = 0 } = response;
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          if (statusCode < 300) resolve();
          else reject(new Error(`${method} ${path}: the server answered ${statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  #options(method: string, path: string): RequestOptions {
    const contentType = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const headers = { 'content-type': contentType, accept: 'application/json' };
    return { ...this.#target, method, path, headers, agent: this.#agent };
  }
}

/** Pads the number to a fixed width, so that objects do not grow during the run. */
function wide(turn: number): string {
  return String(turn).padStart(9, '0');
}

function leaseOf(name: string, turn: number): object {
  const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  return { ...kind, metadata: { name, namespace }, spec: { holderIdentity: wide(turn) } };
}

function eventOf(writer: number, turn: number): object {
  return {
    metadata: { name: `event-${writer}-${wide(turn)}`, namespace },
    involvedObject: { kind: 'ConfigMap', namespace, name: `${writer}-${turn % names}` },
    reason: 'Turned',
    message: `turn ${wide(turn)}`,
    type: 'Normal',
  };
}
