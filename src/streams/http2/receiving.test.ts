import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { frame } from '../../http/listener/raw-frames.conformance.ts';
import { BodyStream } from './body-stream.ts';
import { errorCodes, flags, frameTypes } from './protocol.ts';
import type { BodyReader, Http2Stream } from './stream.ts';
import { integer, TestClient } from './test-client.conformance.ts';
import { Tunnel } from './tunnel.ts';

/** POST https://x/ */
const postBlock = Buffer.from([0x83, 0x87, 0x84, 0x41, 0x01, 0x78]);
const window = 256 * 1024;
const head = (id: number): Buffer => frame(frameTypes.headers, postBlock, { id, flags: flags.endHeaders });
const data = (id: number, payload: Buffer, flag = 0): Buffer => frame(frameTypes.data, payload, { id, flags: flag });
const full = Buffer.alloc(16_384, 'x');

async function post(client: TestClient, id: number): Promise<Http2Stream> {
  await client.send(head(id));
  return client.streams.at(-1)!;
}

class Collector implements BodyReader {
  readonly chunks: Buffer[] = [];
  ended = '';

  onData(chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onEnd(): void {
    this.ended += 'end';
  }

  onCut(): void {
    this.ended += 'cut';
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

describe('a body', () => {
  it.each([1, 2, 7, 1000])('arrives whole when it comes in pieces of %i bytes', async (size) => {
    const client = await new TestClient().open();
    const padded = Buffer.concat([Buffer.from([5]), Buffer.from('world'), Buffer.alloc(5)]);
    const bytes = Buffer.concat([
      head(1),
      data(1, Buffer.from('hello ')),
      data(1, padded, flags.padded),
      data(1, Buffer.alloc(0), 1),
    ]);
    for (let at = 0; at < bytes.length; at += size) client.socket.write(bytes.subarray(at, at + size));
    const reader = new Collector();
    await expect.poll(() => client.streams.length).toBe(1);
    client.streams[0]!.read(reader);
    await expect.poll(() => reader.ended).toBe('end');
    expect(reader.text).toBe('hello world');
  });

  it('waits for its reader, and no longer than its window', async () => {
    const client = await new TestClient().open();
    const stream = await post(client, 1);
    for (let sent = 0; sent < window; sent += full.length) await client.send(data(1, full));
    expect(client.frames).toEqual([]);
    await client.send(data(1, Buffer.from('x')));
    expect(client.frames).toMatchObject([{ type: frameTypes.reset, payload: integer(errorCodes.flowControlError) }]);
    expect(stream.isClosed).toBe(true);
  });

  it('gets a wider window as it is read', async () => {
    const client = await new TestClient().open();
    const stream = await post(client, 1);
    const reader = new Collector();
    stream.read(reader);
    for (let sent = 0; sent < window; sent += full.length) await client.send(data(1, full));
    expect(client.ofType(frameTypes.windowUpdate)).toEqual([]);
    stream.acknowledge(window - 1);
    await client.settle();
    expect(client.frames).toMatchObject([{ type: frameTypes.windowUpdate, id: 1, payload: integer(window - 1) }]);
    await client.send(data(1, full));
    expect(stream.isClosed).toBe(false);
  });

  it('does not narrow the window of the connection when nobody reads it', async () => {
    const client = await new TestClient({ maxConcurrentStreams: 4 }).open();
    for (let id = 1; id < 40; id += 2) {
      const stream = await post(client, id);
      for (let sent = 0; sent < window; sent += full.length) await client.send(data(id, full));
      stream.reset(errorCodes.cancel);
      // Late data counts as well.
      await client.send(data(id, full));
    }
    expect(client.ofType(frameTypes.goAway)).toEqual([]);
    const widened = client.ofType(frameTypes.windowUpdate).filter(({ id }) => id === 0);
    expect(widened.length).toBeGreaterThanOrEqual(9);
  });

  it.each<[string, Buffer]>([
    ['is reset', frame(frameTypes.reset, integer(0), { id: 1 })],
    ['is longer than announced', data(1, Buffer.from('12345'))],
    ['is shorter than announced', data(1, Buffer.from('123'), flags.endStream)],
  ])('is cut when it %s', async (_what, last) => {
    const client = await new TestClient().open();
    const block = Buffer.concat([postBlock, Buffer.from([0x0f, 0x0d, 1, 0x34])]);
    await client.send(frame(frameTypes.headers, block, { id: 1, flags: flags.endHeaders }));
    const reader = new Collector();
    client.streams[0]!.read(reader);
    await client.send(last);
    expect(reader.ended).toBe('cut');
    client.streams[0]!.read(reader);
    expect(reader.ended).toBe('cutcut');
  });

  it('is not wanted any more after the response', async () => {
    const client = await new TestClient().open();
    const stream = await post(client, 1);
    const reader = new Collector();
    stream.read(reader);
    stream.respond({ status: 200, headers: {} }, { isLast: true });
    await client.settle();
    expect(reader.ended).toBe('cut');
    expect(client.frames.at(-1)).toMatchObject({ type: frameTypes.reset, payload: integer(errorCodes.noError) });
    await client.send(data(1, full), data(1, full, flags.endStream));
    expect(client.ofType(frameTypes.goAway)).toEqual([]);
  });
});

describe('a body as a stream', () => {
  it('makes the client wait for its reader', async () => {
    const client = await new TestClient().open();
    const body = new BodyStream(await post(client, 1));
    for (let sent = 0; sent < window; sent += full.length) await client.send(data(1, full));
    // The stream has received as much as it buffers.
    expect(client.ofType(frameTypes.windowUpdate)).toEqual([]);
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    await expect.poll(() => client.ofType(frameTypes.windowUpdate).length).toBeGreaterThan(0);
    const ended = once(body, 'end');
    await client.send(data(1, full, flags.endStream));
    await ended;
    expect(length).toBe(window + full.length);
  });

  it('is destroyed when the client gives up', async () => {
    const client = await new TestClient().open();
    const body = new BodyStream(await post(client, 1));
    body.resume();
    const closed = once(body, 'close');
    await client.send(frame(frameTypes.reset, integer(8), { id: 1 }));
    await closed;
    expect(body.readableEnded).toBe(false);
  });
});

describe('a tunnel', () => {
  const open = async () => {
    const client = await new TestClient().open();
    const stream = await post(client, 1);
    stream.respond({ status: 200, headers: {} }, { isLast: false });
    return { client, stream, tunnel: new Tunnel(stream) };
  };

  it('passes bytes in both directions', async () => {
    const { client, tunnel } = await open();
    tunnel.write('from the server');
    await client.send(data(1, Buffer.from('from the client')));
    expect(String(tunnel.read())).toBe('from the client');
    expect(client.dataOf(1).toString()).toBe('from the server');
  });

  it('sends what is written together in one frame', async () => {
    const { client, tunnel } = await open();
    tunnel.cork();
    for (const chunk of ['a', 'b', 'c']) tunnel.write(chunk);
    tunnel.uncork();
    await client.settle();
    expect(client.ofType(frameTypes.data).map(({ payload }) => String(payload))).toEqual(['abc']);
  });

  it('may be ended on one side first', async () => {
    const { client, tunnel, stream } = await open();
    tunnel.end('the last');
    await client.settle();
    expect(client.frames.at(-1)).toMatchObject({ type: frameTypes.data, flags: flags.endStream });
    expect(stream.isClosed).toBe(false);
    tunnel.resume();
    const closed = once(tunnel, 'close');
    await client.send(data(1, Buffer.from('still here')), data(1, Buffer.alloc(0), flags.endStream));
    await closed;
    expect(stream.isClosed).toBe(true);
    expect(client.ofType(frameTypes.reset)).toEqual([]);
  });

  it('has backpressure', async () => {
    const { client, tunnel } = await open();
    expect(tunnel.write(Buffer.alloc(200_000))).toBe(false);
    await client.settle();
    expect(client.dataOf(1)).toHaveLength(65_535);
    expect(tunnel.writableNeedDrain).toBe(true);
    const drained = once(tunnel, 'drain');
    const widen = (id: number): Buffer => frame(frameTypes.windowUpdate, integer(1 << 20), { id });
    await client.send(widen(0), widen(1));
    await drained;
  });

  it.each([
    ['quietly', undefined, errorCodes.cancel],
    ['with an error', new Error('oops'), errorCodes.internalError],
  ])('resets its stream when it is destroyed %s', async (_how, error, code) => {
    const { client, tunnel } = await open();
    tunnel.on('error', () => {});
    tunnel.destroy(error);
    await client.settle();
    expect(client.frames.at(-1)).toMatchObject({ type: frameTypes.reset, payload: integer(code) });
  });
});

describe('a connection that is shut down', () => {
  it('lets its streams finish and takes no others', async () => {
    const client = await new TestClient().open();
    const stream = await client.request(1);
    client.connection.shutDown();
    await client.settle();
    expect(client.frames).toMatchObject([
      { type: frameTypes.goAway, payload: Buffer.concat([integer(1), integer(0)]) },
    ]);
    await client.send(head(3), data(3, full), frame(frameTypes.reset, integer(8), { id: 3 }));
    expect(client.streams).toHaveLength(1);
    expect(client.isClosed).toBe(false);
    stream.respond({ status: 200, headers: {} }, { isLast: true });
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.frames.at(-1)).toMatchObject({ type: frameTypes.headers, id: 1 });
  });

  it('ends at once without streams, and when its client says so', async () => {
    const [idle, leaving] = [await new TestClient().open(), await new TestClient().open()];
    idle.connection.shutDown();
    await leaving.send(frame(frameTypes.goAway, Buffer.alloc(8)));
    await expect.poll(() => idle.isClosed && leaving.isClosed).toBe(true);
  });

  it('serves what the client sends before it knows that the connection ends', async () => {
    const client = await new TestClient().open();
    const lastIds = (): number[] => client.ofType(frameTypes.goAway).map(({ payload }) => payload.readUInt32BE(0));
    await post(client, 1);
    client.connection.shutDownGently();
    client.connection.shutDownGently();
    await post(client, 3);
    expect(lastIds()).toEqual([2 ** 31 - 1]);
    const { payload } = client.ofType(frameTypes.ping)[0]!;
    await client.send(frame(frameTypes.ping, payload, { flags: flags.ack }));
    expect(lastIds()).toEqual([2 ** 31 - 1, 3]);
  });

  it('tells everybody when the client disappears', async () => {
    const client = await new TestClient().open();
    const stream = await post(client, 1);
    const reader = new Collector();
    stream.read(reader);
    let isClosed = false;
    stream.owner = {
      awaitsServer: true,
      onClosed: () => {
        isClosed = true;
      },
    };
    client.serverSocket.destroy();
    await expect.poll(() => isClosed).toBe(true);
    expect(reader.ended).toBe('cut');
  });

  it('asks whether the client is alive', async () => {
    const client = await new TestClient().open();
    let count = 0;
    client.connection.ping(() => {
      count++;
    });
    await client.settle();
    const { payload } = client.ofType(frameTypes.ping)[0]!;
    await client.send(frame(frameTypes.ping, Buffer.alloc(8), { flags: flags.ack }));
    expect(client.connection.isPinged).toBe(true);
    await client.send(frame(frameTypes.ping, payload, { flags: flags.ack }));
    expect(count).toBe(1);
    expect(client.connection.isPinged).toBe(false);
  });
});
