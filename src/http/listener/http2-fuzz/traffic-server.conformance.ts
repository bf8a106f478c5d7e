import { vi } from 'vitest';
import type { Exchange } from '../../exchange.ts';
import type { Listener } from '../listener.ts';
import { listen } from '../test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };
const pieceSize = 5_000;

/** A listener that responds according to the path, and tracks the exchanges that have not ended. */
export class TrafficServer {
  listener!: Listener;
  readonly faults: unknown[] = [];
  readonly #open = new Set<Exchange>();
  #bodies = 0;

  private constructor() {}

  static async start(): Promise<TrafficServer> {
    const server = new TrafficServer();
    server.listener = await listen((exchange) => void server.#take(exchange), {
      maxConcurrentStreams: 50,
      maxHeaderSize: 16_384,
      onFault: (error) => server.faults.push(error),
    });
    return server;
  }

  /** Waits until no exchange and no body is left. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 100 && !this.#isSettled; turns++) await new Promise((resolve) => setImmediate(resolve));
    await vi.waitUntil(() => this.#isSettled);
  }

  get #isSettled(): boolean {
    return this.#open.size === 0 && this.#bodies === 0;
  }

  async #take(exchange: Exchange): Promise<void> {
    this.#open.add(exchange);
    const end = (): void => void this.#open.delete(exchange);
    if (exchange.signal.aborted) end();
    else exchange.signal.addEventListener('abort', end);
    const [, kind, size] = exchange.path.split('/');
    if (kind === 'held') return;
    if (exchange.upgrade !== undefined) {
      const tunnel = exchange.upgrade.accept({});
      tunnel.on('error', () => {});
      tunnel.pipe(tunnel);
      return;
    }
    if (kind === 'abort') {
      exchange.abort();
      return;
    }
    this.#bodies++;
    try {
      const body = await exchange.readBody(1 << 20);
      const response = Buffer.concat([body, Buffer.alloc(Math.min(Number(size) || 0, 1 << 20), 'r')]);
      if (kind === 'streamed') await stream(exchange, response);
      else exchange.respond(200, plain, response);
    } catch {
      exchange.respond(400, plain, 'no body');
    } finally {
      this.#bodies--;
    }
  }
}

async function stream(exchange: Exchange, response: Buffer): Promise<void> {
  const sink = exchange.respondStream(200, plain);
  for (let at = 0; at < response.length && !sink.closed; at += pieceSize) {
    if (!sink.write(response.subarray(at, at + pieceSize))) await sink.drained();
  }
  sink.end();
}
