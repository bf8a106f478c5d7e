import { describe, expect, it } from 'vitest';
import { frame } from '../../http/listener/raw-frames.conformance.ts';
import { errorCodes, flags, frameTypes, settings } from './protocol.ts';
import { getBlock, integer, setting, TestClient } from './test-client.conformance.ts';

const ok = { status: 200, headers: { 'content-type': 'text/plain' } };
const respond = { isLast: false };
const window = (size: number): Buffer => setting(settings.initialWindowSize, size);
const widen = (id: number, increment: number): Buffer => frame(frameTypes.windowUpdate, integer(increment), { id });
const large = 1 << 20;

describe('a response', () => {
  it('leaves in one write', async () => {
    const client = await new TestClient().open();
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.end(Buffer.from('hello'));
    await client.settle();
    expect(client.frames.map(({ type, flags: flag }) => [type, flag])).toEqual([
      [frameTypes.headers, flags.endHeaders],
      [frameTypes.data, flags.endStream],
    ]);
    expect(client.writes).toHaveLength(1);
    expect(client.dataOf(1).toString()).toBe('hello');
    expect(stream.isClosed).toBe(true);
  });

  it('shares its write with those of other streams', async () => {
    const client = await new TestClient().open();
    for (let id = 1; id < 40; id += 2) await client.request(id);
    client.frames.length = 0;
    client.writes.length = 0;
    for (const stream of client.streams) {
      stream.respond(ok, respond);
      stream.write(Buffer.from('an event'));
    }
    await client.settle();
    expect(client.writes).toHaveLength(1);
    expect(client.ofType(frameTypes.data)).toHaveLength(20);
  });

  it.each([0, 1, 16_384, 16_385, 300_000])('comes, for %i bytes, in frames that the client accepts', async (size) => {
    const client = await new TestClient().open(window(large));
    await client.send(widen(0, large));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    const body = Buffer.alloc(size, 'x');
    stream.end(body);
    await client.settle();
    const data = client.ofType(frameTypes.data);
    expect(client.dataOf(1).equals(body)).toBe(true);
    expect(Math.max(...data.map(({ payload }) => payload.length))).toBeLessThanOrEqual(16_384);
    expect(data.map(({ flags: flag }) => flag & flags.endStream)).toEqual([...data.slice(1).map(() => 0), 1]);
  });

  it('has larger frames for a client that accepts them', async () => {
    const client = await new TestClient().open(window(large), setting(settings.maxFrameSize, 2 ** 24 - 1));
    await client.send(widen(0, large));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.end(Buffer.alloc(200_000));
    await client.settle();
    expect(client.ofType(frameTypes.data)[0]!.payload).toHaveLength(64 * 1024);
    expect(client.dataOf(1)).toHaveLength(200_000);
  });

  it('has headers in several frames when they are long', async () => {
    const client = await new TestClient().open();
    const stream = await client.request(1);
    const value = 'y'.repeat(40_000);
    stream.respond({ status: 200, headers: { 'x-long': value } }, { isLast: true });
    await client.settle();
    expect(client.frames.map(({ type, flags: flag }) => [type, flag])).toEqual([
      [frameTypes.headers, flags.endStream],
      [frameTypes.continuation, 0],
      [frameTypes.continuation, flags.endHeaders],
    ]);
    const payload = Buffer.concat(client.frames.map((one) => one.payload));
    expect(client.fieldsOf({ ...client.frames[0]!, payload })).toEqual([':status', '200', 'x-long', value]);
  });

  it('tells the owner of the stream afterwards', async () => {
    const client = await new TestClient().open();
    const stream = await client.request(1);
    let count = 0;
    stream.owner = {
      awaitsServer: true,
      onClosed: () => {
        count++;
      },
    };
    stream.respond(ok, { isLast: true });
    expect(stream.isClosed).toBe(true);
    expect(count).toBe(0);
    await client.settle();
    expect(count).toBe(1);
  });

  it('leaves the stream as it was if it cannot be sent', async () => {
    const client = await new TestClient().open();
    const stream = await client.request(1);
    expect(() => stream.respond({ status: 200, headers: { x: 'a\nb' } }, respond)).toThrow(TypeError);
    expect(stream.hasResponded).toBe(false);
    stream.respond({ status: 500, headers: {} }, { isLast: true });
    await client.settle();
    expect(client.fieldsOf(client.frames[0]!)).toEqual([':status', '500']);
  });
});

describe('the windows of a client', () => {
  it('limit what is sent', async () => {
    const client = await new TestClient().open(window(10));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.end(Buffer.from('0123456789abcdefghij'));
    await client.settle();
    expect(client.dataOf(1).toString()).toBe('0123456789');
    expect(stream.pendingBytes).toBe(10);
    await client.send(widen(1, 3));
    expect(client.dataOf(1).toString()).toBe('0123456789abc');
    expect(stream.isClosed).toBe(false);
    await client.send(widen(1, 100));
    expect(client.dataOf(1).toString()).toBe('0123456789abcdefghij');
    expect(stream.isClosed).toBe(true);
  });

  it('are there for all streams together, too', async () => {
    const client = await new TestClient().open(window(large));
    const [first, second] = [await client.request(1), await client.request(3)];
    for (const stream of [first, second]) {
      stream.respond(ok, respond);
      stream.end(Buffer.alloc(50_000));
    }
    await client.settle();
    expect(client.dataOf(1).length + client.dataOf(3).length).toBe(65_535);
    await client.send(widen(0, 100_000));
    expect(client.dataOf(1)).toHaveLength(50_000);
    expect(client.dataOf(3)).toHaveLength(50_000);
  });

  it('change with its settings, also below nothing', async () => {
    const client = await new TestClient().open(window(10));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.end(Buffer.alloc(100));
    await client.settle();
    expect(client.dataOf(1)).toHaveLength(10);
    await client.send(frame(frameTypes.settings, window(4)));
    expect(stream.sendWindow).toBe(-6);
    await client.send(widen(1, 6));
    expect(client.dataOf(1)).toHaveLength(10);
    await client.send(widen(1, 5));
    expect(client.dataOf(1)).toHaveLength(15);
    await client.send(frame(frameTypes.settings, window(1000)));
    expect(client.dataOf(1)).toHaveLength(100);
  });

  it('do not limit the end of a response', async () => {
    const client = await new TestClient().open(window(0));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.end();
    await client.settle();
    expect(client.ofType(frameTypes.data).map(({ flags: flag, payload }) => [flag, payload.length])).toEqual([[1, 0]]);
  });

  it('are no reason to hold up other streams', async () => {
    const client = await new TestClient().open(window(1000));
    const [stuck, free] = [await client.request(1), await client.request(3)];
    stuck.respond(ok, respond);
    stuck.end(Buffer.alloc(5000));
    free.respond(ok, respond);
    free.end(Buffer.alloc(900));
    await client.settle();
    expect(client.dataOf(1)).toHaveLength(1000);
    expect(client.dataOf(3)).toHaveLength(900);
  });
});

describe('streams with much to send', () => {
  it('take turns', async () => {
    const client = await new TestClient().open(window(large));
    await client.send(widen(0, 8 * large));
    const streams = [await client.request(1), await client.request(3), await client.request(5)];
    for (const stream of streams) {
      stream.respond(ok, respond);
      stream.end(Buffer.alloc(600_000));
    }
    await expect.poll(() => streams.every(({ isClosed }) => isClosed)).toBe(true);
    await client.settle();
    const order = client.ofType(frameTypes.data).map(({ id }) => id);
    // The first stream may have been alone until the others arrived. After that, no stream sends twice while another
    // one waits.
    const together = order.slice(order.indexOf(5), order.lastIndexOf(1));
    for (let at = 3; at < together.length; at++) {
      expect(new Set(together.slice(at - 3, at)).size).toBeGreaterThan(1);
    }
    for (const { id } of streams) expect(client.dataOf(id)).toHaveLength(600_000);
  });

  it('wait for a socket that does not send', async () => {
    const client = await new TestClient().open(window(64 * large));
    await client.send(widen(0, 64 * large));
    const stream = await client.request(1);
    client.stopReading();
    stream.respond(ok, respond);
    const chunk = Buffer.alloc(256 * 1024);
    for (let count = 0; count < 40; count++) stream.write(chunk);
    await client.settle();
    // At most two batches are in flight.
    expect(client.connection.unsentBytes).toBeLessThan(600_000);
    expect(stream.pendingBytes).toBeGreaterThan(39 * chunk.length - 600_000);
    let isDrained = false;
    void stream.drained().then(() => {
      isDrained = true;
    });
    await client.settle();
    expect(isDrained).toBe(false);
    await client.continueReading();
    await expect.poll(() => isDrained).toBe(true);
    expect(stream.pendingBytes).toBe(0);
    stream.end();
    await expect.poll(() => client.dataOf(1).length).toBe(40 * chunk.length);
  });

  it('are not kept when they are reset before they could send', async () => {
    const client = await new TestClient().open(window(large));
    const first = await client.request(1);
    first.respond(ok, respond);
    // Uses up the window of the connection.
    first.end(Buffer.alloc(100_000));
    for (let id = 3; id < 200; id += 2) {
      const stream = await client.request(id);
      stream.respond(ok, respond);
      stream.end(Buffer.alloc(10));
      expect(stream.isQueued).toBe(true);
      await client.send(frame(frameTypes.reset, integer(errorCodes.cancel), { id }));
      expect(stream.isQueued).toBe(false);
    }
    await client.send(widen(0, large));
    expect(client.dataOf(1)).toHaveLength(100_000);
  });

  it('may be given up', async () => {
    const client = await new TestClient().open(window(10));
    const stream = await client.request(1);
    stream.respond(ok, respond);
    stream.write(Buffer.alloc(100));
    const drained = stream.drained();
    stream.reset(errorCodes.internalError);
    await drained;
    await client.settle();
    expect(stream.pendingBytes).toBe(0);
    expect(client.frames.at(-1)).toMatchObject({ type: frameTypes.reset, payload: integer(errorCodes.internalError) });
    stream.write(Buffer.from('too late'));
    stream.end();
    await client.send(widen(1, 1000));
    expect(client.dataOf(1)).toHaveLength(10);
  });
});

describe('a client that sends and does not read', () => {
  it('is not read any more', async () => {
    const client = await new TestClient({ onStream: (stream) => stream.respond(ok, { isLast: true }) }).open();
    client.stopReading();
    const before = client.connection.unsentBytes;
    let last = -1;
    const request = (): Buffer => {
      last += 2;
      return frame(frameTypes.headers, getBlock, { id: last, flags: flags.endHeaders | flags.endStream });
    };
    for (let round = 0; round < 3000 && !client.serverSocket.isPaused(); round++) {
      await client.send(...Array.from({ length: 300 }, request));
    }
    expect(client.serverSocket.isPaused()).toBe(true);
    expect(client.connection.unsentBytes - before).toBeLessThan(2 * large);
    await client.continueReading();
    await expect.poll(() => client.serverSocket.isPaused()).toBe(false);
    await expect.poll(() => client.ofType(frameTypes.headers).length).toBe((last + 1) / 2);
  });
});
