import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ByteQueue } from '../../server/in-process/byte-queue.ts';
import type { ResponseStream } from '../exchange.ts';
import { GzipStream } from './gzip-stream.ts';

/** Incompressible. */
const chunk = randomBytes(256 * 1024);

function opened() {
  const client = new AbortController();
  const queue = new ByteQueue(client);
  return { client, queue, stream: new GzipStream(queue, { signal: client.signal, cut: () => client.abort() }) };
}

it('compresses the data and ends the inner stream', async () => {
  const { queue, stream } = opened();
  for (const text of ['one ', 'two ', 'three']) stream.write(Buffer.from(text));
  stream.end();
  expect(stream.closed).toBe(true);
  const chunks: Uint8Array[] = [];
  for await (const compressed of queue) chunks.push(compressed);
  expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('one two three');
});

/** Accepts one chunk at a time. */
class NarrowStream implements ResponseStream {
  readonly pieces: Buffer[] = [];
  readonly pendingBytes = 0;
  readonly ended: Promise<void>;
  closed = false;
  #open = false;
  #opened = (): void => {};
  #ended = (): void => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  write(piece: Buffer): boolean {
    this.pieces.push(piece);
    return this.#open;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#opened = resolve;
    });
  }

  open(): void {
    this.#open = true;
    this.#opened();
  }

  end(): void {
    this.closed = true;
    this.#ended();
  }
}

it('writes nothing to a stream that has not drained', async () => {
  const narrow = new NarrowStream();
  const stream = new GzipStream(narrow, { signal: new AbortController().signal, cut: () => {} });
  const other = opened();
  for (let count = 0; count < 16; count++) {
    stream.write(chunk);
    other.stream.write(chunk);
  }
  stream.end();
  other.stream.end();
  // The same work is done elsewhere meanwhile, so that a fault would have shown.
  let size = 0;
  for await (const compressed of other.queue) size += compressed.length;
  expect(size).toBeGreaterThan(16 * chunk.length);
  expect(narrow.pieces).toHaveLength(1);
  narrow.open();
  await narrow.ended;
  expect(gunzipSync(Buffer.concat(narrow.pieces))).toHaveLength(16 * chunk.length);
});

it('applies backpressure while the inner stream is full', async () => {
  const { client, queue, stream } = opened();
  let written = 0;
  let waits = 0;
  const writer = (async () => {
    while (!stream.closed) {
      written += chunk.length;
      if (stream.write(chunk)) continue;
      waits++;
      await stream.drained();
      waits--;
    }
  })();
  // Without a reader the inner stream fills up, and the writer keeps waiting.
  await expect.poll(() => queue.pendingBytes).toBeGreaterThanOrEqual(1024 * 1024);
  await expect.poll(() => waits).toBe(1);
  expect(stream.pendingBytes).toBeLessThan(4 * 1024 * 1024);
  expect(written).toBeLessThan(16 * 1024 * 1024);
  client.abort();
  await writer;
});

it.each([
  ['before the first byte', false],
  ['in the middle', true],
])('frees everything when the client disconnects %s', async (_name, begun) => {
  const { client, queue, stream } = opened();
  if (begun) stream.write(chunk);
  const drained = stream.drained();
  client.abort();
  await drained;
  expect(stream.closed).toBe(true);
  expect(stream.write(chunk)).toBe(true);
  stream.end();
  const pending = queue.pendingBytes;
  // A chunk that the thread pool was compressing is dropped.
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.pendingBytes).toBe(pending);
});

it('is closed when the client has disconnected before', () => {
  const client = new AbortController();
  client.abort();
  const stream = new GzipStream(new ByteQueue(client), { signal: client.signal, cut: () => {} });
  expect(stream.closed).toBe(true);
});
