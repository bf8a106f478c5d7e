import { describe, expect, it } from 'vitest';
import type { ResponseStream } from '../exchange.ts';
import { WatchWriter } from './watch-writer.ts';

/** A reader that reads everything at once, until it is stalled. */
class Reader implements ResponseStream {
  readonly writes: string[] = [];
  stalled = false;
  closed = false;
  ended = 0;
  pendingBytes = 0;
  #waiting: (() => void)[] = [];

  write(chunk: Buffer): boolean {
    // The padding does not matter.
    this.writes.push(chunk.toString('latin1').replace(/\.+/g, ''));
    if (this.stalled) this.pendingBytes += chunk.length;
    return !this.stalled;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Reads pending data. While stalled, it accepts one more write and no other. */
  resume({ stalled }: { stalled: boolean }): void {
    this.stalled = stalled;
    this.pendingBytes = 0;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  end(): void {
    this.ended++;
  }
}

function watching({ oneByOne = false, live = true } = {}) {
  const reader = new Reader();
  const calls = { ended: 0, cut: 0 };
  const writer = new WatchWriter(reader, {
    oneByOne,
    onEnd: () => void calls.ended++,
    cut: () => {
      calls.cut++;
      reader.closed = true;
      reader.resume({ stalled: false });
    },
  });
  if (live) writer.goLive();
  return { reader, writer, calls };
}

const frame = (name: string, size = 0): Buffer => Buffer.from(`${name.padEnd(size, '.')}\n`);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const names = (reader: Reader) => reader.writes.join('').match(/[a-z0-9]+/g) ?? [];
const tooMuch = 70_000;
const large = frame('x', 1024 * 1024);

async function* backlog(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

describe('WatchWriter', () => {
  it('joins the frames of one turn to one write', async () => {
    const { reader, writer } = watching();
    for (const name of ['a', 'b', 'c']) writer.send(frame(name));
    expect(reader.writes).toEqual([]);
    await turn();
    expect(reader.writes).toEqual(['a\nb\nc\n']);
    writer.send(frame('d'));
    await turn();
    expect(reader.writes).toEqual(['a\nb\nc\n', 'd\n']);
  });

  it('writes frames one by one where each is a message', async () => {
    const { reader, writer } = watching({ oneByOne: true });
    for (const name of ['a', 'b']) writer.send(frame(name));
    await turn();
    expect(reader.writes).toEqual(['a\n', 'b\n']);
  });

  it('shares the bytes of watchers that get the same frames', async () => {
    const [first, second, other] = [watching(), watching(), watching()];
    const written: Buffer[] = [];
    for (const { reader } of [first, second, other]) reader.write = (chunk) => written.push(chunk) > 0;
    const shared = ['a', 'b'].map((name) => frame(name));
    for (const { writer } of [first, second]) for (const bytes of shared) writer.send(bytes);
    for (const name of ['a', 'b']) other.writer.send(frame(name));
    await turn();
    expect(written[1]).toBe(written[0]);
    expect(written[2]).not.toBe(written[0]);
    expect(written[2]).toEqual(written[0]);
  });

  it('does not write more than a slow reader reads, and loses nothing', async () => {
    const { reader, writer } = watching();
    reader.stalled = true;
    writer.send(frame('a', tooMuch));
    await turn();
    for (const name of ['b', 'c']) writer.send(frame(name));
    await turn();
    expect(names(reader)).toEqual(['a']);
    reader.resume({ stalled: false });
    await turn();
    expect(names(reader)).toEqual(['a', 'b', 'c']);
  });

  it('disconnects a reader that is too slow', async () => {
    const { reader, writer, calls } = watching();
    reader.stalled = true;
    for (let index = 0; index < 40; index++) {
      writer.send(large);
      await turn();
    }
    expect(calls).toEqual({ ended: 1, cut: 1 });
    expect(reader.writes).toHaveLength(1);
  });

  it('keeps a reader that catches up in time', async () => {
    const { reader, writer, calls } = watching();
    for (let round = 0; round < 4; round++) {
      reader.stalled = true;
      for (let index = 0; index < 8; index++) writer.send(large);
      await turn();
      while (names(reader).length < (round + 1) * 8) {
        reader.resume({ stalled: true });
        await turn();
      }
      reader.resume({ stalled: false });
      await turn();
    }
    expect(calls).toEqual({ ended: 0, cut: 0 });
  });

  it('ends after the queue has been written', async () => {
    const { reader, writer, calls } = watching();
    writer.send(frame('a'));
    writer.end(frame('error'));
    writer.send(frame('late'));
    writer.end();
    await turn();
    expect(names(reader)).toEqual(['a', 'error']);
    expect(reader.ended).toBe(1);
    expect(calls).toEqual({ ended: 1, cut: 0 });
  });

  it('ends at once when the queue is empty', () => {
    const { reader, writer, calls } = watching();
    writer.end();
    writer.end();
    expect(reader.ended).toBe(1);
    expect(calls).toEqual({ ended: 1, cut: 0 });
  });

  it('notices that its reader has disconnected', async () => {
    const { reader, writer, calls } = watching();
    reader.closed = true;
    writer.send(frame('a'));
    await turn();
    expect(reader.writes).toEqual([]);
    expect(calls.ended).toBe(1);
  });
});

describe('a backlog', () => {
  it('precedes the bookmark at its end and the events sent meanwhile', async () => {
    const { reader, writer } = watching({ live: false });
    writer.send(frame('live'));
    await turn();
    expect(reader.writes).toEqual([]);
    await writer.writeBacklog(backlog(frame('a'), frame('b')));
    writer.goLive(frame('mark'));
    expect(names(reader)).toEqual(['a', 'b', 'mark', 'live']);
  });

  it('is read at the pace of the reader', async () => {
    const { reader, writer, calls } = watching({ live: false });
    let made = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (; made < 100; made++) yield frame('x', tooMuch);
    }
    reader.stalled = true;
    const written = writer.writeBacklog(endless());
    await turn();
    expect(made).toBeLessThan(3);
    reader.resume({ stalled: false });
    await written;
    expect(made).toBe(100);
    expect(calls).toEqual({ ended: 0, cut: 0 });
  });

  it('has no size limit, but the events sent meanwhile have', async () => {
    const { reader, writer, calls } = watching({ live: false });
    reader.stalled = true;
    const written = writer.writeBacklog(backlog(frame('a', tooMuch), frame('b', 20 * 1024 * 1024)));
    await turn();
    for (let index = 0; index < 20; index++) writer.send(large);
    await written;
    expect(calls).toEqual({ ended: 1, cut: 1 });
  });

  it.each([
    ['nothing', undefined, ['a']],
    ['the error only', frame('error'), ['a', 'error']],
  ])('is followed, if it is not complete, by %s', async (_what, last, expected) => {
    const { reader, writer, calls } = watching({ live: false });
    reader.stalled = true;
    const written = writer.writeBacklog(backlog(frame('a', tooMuch), frame('b')));
    await turn();
    writer.send(frame('live'));
    writer.end(last);
    reader.resume({ stalled: false });
    await written;
    writer.goLive(frame('mark'));
    await turn();
    expect(names(reader)).toEqual(expected);
    expect(calls).toEqual({ ended: 1, cut: 0 });
  });
});
