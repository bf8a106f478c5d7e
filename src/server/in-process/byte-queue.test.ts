import { describe, expect, it } from 'vitest';
import { ByteQueue } from './byte-queue.ts';

const megabyte = Buffer.alloc(1024 * 1024);

function queue(): { queue: ByteQueue; stop: AbortController } {
  const stop = new AbortController();
  return { queue: new ByteQueue(stop), stop };
}

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Whether the promise has settled after all pending microtasks and immediates. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('ByteQueue', () => {
  it('delivers chunks written before and after reading began', async () => {
    const { queue: bytes, stop } = queue();
    bytes.write(Buffer.from('a'));
    const read = text(bytes);
    await new Promise((resolve) => setImmediate(resolve));
    bytes.write(Buffer.from('b'));
    bytes.write(Buffer.from('c'));
    bytes.end();
    expect(await read).toBe('abc');
    expect(stop.signal.aborted).toBe(true);
  });

  it('makes the writer wait for a slow reader', async () => {
    const { queue: bytes } = queue();
    expect(bytes.write(Buffer.from('a'))).toBe(true);
    expect(bytes.write(megabyte)).toBe(false);
    expect(bytes.pendingBytes).toBe(megabyte.length + 1);
    const drained = bytes.drained();
    expect(await isSettled(drained)).toBe(false);
    const reader = bytes[Symbol.asyncIterator]();
    await reader.next();
    await drained;
    expect(bytes.pendingBytes).toBe(0);
    await reader.return(undefined);
  });

  it('releases a waiting writer when the reader stops', async () => {
    const { queue: bytes, stop } = queue();
    bytes.write(megabyte);
    const drained = bytes.drained();
    stop.abort();
    await drained;
    expect(bytes.closed).toBe(true);
    expect(bytes.write(megabyte)).toBe(true);
  });

  it('is closed for the writer when the reader stops early', async () => {
    const { queue: bytes, stop } = queue();
    bytes.write(Buffer.from('a'));
    for await (const _ of bytes) break;
    expect(stop.signal.aborted).toBe(true);
    expect(bytes.closed).toBe(true);
  });

  it('releases a waiting reader on abort', async () => {
    const { queue: bytes, stop } = queue();
    const read = text(bytes);
    expect(await isSettled(read)).toBe(false);
    stop.abort();
    expect(await read).toBe('');
  });
});
