import { describe, expect, it } from 'vitest';
import { StatusError } from '../meta/status-error.ts';
import type { ResponseStream } from './exchange.ts';
import { WatchWriter } from './watch-writer.ts';

/** A reader that takes everything at once, until it is told to stall. */
class Reader implements ResponseStream {
  readonly writes: string[] = [];
  stalled = false;
  closed = false;
  ended = 0;
  readonly pendingBytes = 0;
  #resume: () => void = () => {};

  write(chunk: Buffer): boolean {
    this.writes.push(chunk.toString());
    return !this.stalled;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  goOn(): void {
    this.stalled = false;
    this.#resume();
  }

  end(): void {
    this.ended++;
  }
}

function watching() {
  const reader = new Reader();
  const calls = { ended: 0, cut: 0 };
  const writer = new WatchWriter(reader, {
    onEnd: () => void calls.ended++,
    cut: () => {
      calls.cut++;
      reader.closed = true;
      reader.goOn();
    },
  });
  return { reader, writer, calls };
}

const event = (name: string, size = 0) => ({
  type: 'ADDED' as const,
  object: Buffer.from(JSON.stringify({ name, filling: 'x'.repeat(size) })),
  resourceVersion: '1',
});
const turn = () => new Promise((resolve) => setImmediate(resolve));
const names = (reader: Reader) => [...reader.writes.join('').matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);

describe('WatchWriter', () => {
  it('writes the events of one moment at once, a line each', async () => {
    const { reader, writer } = watching();
    writer.event(event('a'));
    writer.event(event('b'));
    writer.bookmark('{"kind":"Pod"}');
    await turn();
    expect(reader.writes).toEqual([
      '{"type":"ADDED","object":{"name":"a","filling":""}}\n{"type":"ADDED","object":{"name":"b","filling":""}}\n' +
        '{"type":"BOOKMARK","object":{"kind":"Pod"}}\n',
    ]);
  });

  it('does not write more than a slow reader takes, and loses nothing', async () => {
    const { reader, writer } = watching();
    reader.stalled = true;
    writer.event(event('a'));
    await turn();
    for (const name of ['b', 'c']) writer.event(event(name));
    await turn();
    expect(names(reader)).toEqual(['a']);
    reader.goOn();
    await turn();
    expect(names(reader)).toEqual(['a', 'b', 'c']);
  });

  it('cuts a reader off that is too far behind', async () => {
    const { reader, writer, calls } = watching();
    writer.countWaiting();
    reader.stalled = true;
    for (let index = 0; index < 40; index++) {
      writer.event(event(String(index), 1024 * 1024));
      await turn();
    }
    expect(calls).toEqual({ ended: 1, cut: 1 });
    expect(reader.writes).toHaveLength(1);
  });

  it('lets the initial state be as large as it is', async () => {
    const { reader, writer, calls } = watching();
    reader.stalled = true;
    for (let index = 0; index < 40; index++) writer.event(event(String(index), 1024 * 1024));
    await turn();
    expect(calls.cut).toBe(0);
    while (names(reader).length < 40) {
      reader.goOn();
      await turn();
    }
    expect(calls).toEqual({ ended: 0, cut: 0 });
  });

  it('forgives a reader that catches up in time', async () => {
    const { reader, writer, calls } = watching();
    writer.countWaiting();
    for (let round = 0; round < 10; round++) {
      reader.stalled = true;
      for (let index = 0; index < 8; index++) writer.event(event('x', 1024 * 1024));
      await turn();
      while (names(reader).length < (round + 1) * 8) {
        reader.goOn();
        await turn();
      }
    }
    expect(calls).toEqual({ ended: 0, cut: 0 });
  });

  it('ends after what waits has been written', async () => {
    const { reader, writer, calls } = watching();
    writer.event(event('a'));
    writer.error(new StatusError({ code: 410, reason: 'Expired', message: 'too old' }).status);
    writer.event(event('late'));
    writer.end();
    await turn();
    expect(names(reader)).toEqual(['a']);
    expect(reader.writes.join('')).toContain('{"type":"ERROR","object":{"kind":"Status"');
    expect(reader.ended).toBe(1);
    expect(calls).toEqual({ ended: 1, cut: 0 });
  });

  it('ends at once when nothing waits', () => {
    const { reader, writer, calls } = watching();
    writer.end();
    writer.end();
    expect(reader.ended).toBe(1);
    expect(calls).toEqual({ ended: 1, cut: 0 });
  });

  it('notices that its reader has gone', async () => {
    const { reader, writer, calls } = watching();
    reader.closed = true;
    writer.event(event('a'));
    await turn();
    expect(reader.writes).toEqual([]);
    expect(calls.ended).toBe(1);
  });
});
