import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Duplex, duplexPair } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { constants, createDeflate, deflateSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  dataHead,
  FrameReader,
  flagFin,
  frameTypes,
  ping,
  rstStream,
  synReply,
  synStream,
  windowUpdate,
} from './frames.ts';
import { dictionary, HeaderReader, HeaderWriter } from './header-blocks.ts';
import { SpdyConnection, type SpdyConnectionOptions } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';

async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [[accepted]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ];
  server.close();
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
  });
  return [client, accepted];
}

type Options = Partial<SpdyConnectionOptions>;

async function connections(onStream: (stream: SpdyStream) => void, client: Options = {}, server: Options = {}) {
  const [near, far] = await socketPair();
  return {
    client: new SpdyConnection(near, { role: 'client', ...client }),
    server: new SpdyConnection(far, { role: 'server', onStream, ...server }),
    near,
    far,
  };
}

const echo = (stream: SpdyStream): void => {
  stream.reply();
  stream.pipe(stream);
};

/** Peers without windows, which are usual in practice, and peers with windows. */
const modes: [string, Options][] = [
  ['without windows', {}],
  ['with windows', { window: 100_000 }],
];

describe.each(modes)('two connections %s', (_name, options) => {
  it('carry streams in both directions, each with its end', async () => {
    const { client } = await connections(echo, options, options);
    const stream = client.open({ streamtype: 'stdin', empty: '' });
    stream.write('a');
    stream.write('');
    stream.end('b');
    expect(await text(stream)).toBe('ab');
  });

  it('carry many bytes on many streams', async () => {
    const { client } = await connections(echo, options, options);
    const all = Array.from({ length: 10 }, async (_, index) => {
      const sent = Buffer.alloc(300_000, `${index} `);
      const stream = client.open({ n: `${index}` });
      stream.end(sent);
      expect(sent.equals(await buffer(stream))).toBe(true);
    });
    await Promise.all(all);
  });

  it('do not keep what a slow reader does not take', async () => {
    const opened = Promise.withResolvers<SpdyStream>();
    const { client, near } = await connections(
      (stream) => {
        stream.reply();
        opened.resolve(stream);
      },
      options,
      options,
    );
    const stream = client.open({});
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    while (written < 64 * 1024 * 1024 && stream.write(chunk)) {
      written += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const reader = await opened.promise;
    expect(reader.readableLength).toBeLessThan(300_000);
    expect(stream.writableLength + near.writableLength).toBeLessThan(300_000);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    stream.end('the end');
    expect((await buffer(reader)).subarray(-7).toString()).toBe('the end');
  });

  it('end a stream that the other side resets, after what it has sent', async () => {
    const opened = Promise.withResolvers<SpdyStream>();
    const { client } = await connections(
      (stream) => {
        stream.reply();
        opened.resolve(stream);
      },
      options,
      options,
    );
    const stream = client.open({});
    await stream.opened;
    stream.write('the last');
    await vi.waitUntil(() => stream.writableLength === 0, { interval: 1 });
    stream.destroy();
    const accepted = await opened.promise;
    expect(await text(accepted)).toBe('the last');
    await vi.waitUntil(() => accepted.destroyed, { interval: 1 });
  });

  it('end all streams when the connection ends', async () => {
    const { client, server, near } = await connections((stream) => stream.reply(), options, options);
    const stream = client.open({});
    await stream.opened;
    const failure = once(stream, 'error');
    near.destroy();
    expect((await failure)[0].message).toBe('the connection was closed');
    expect(await client.closed).toBeUndefined();
    await server.closed;
    expect(() => client.open({})).toThrow('the connection is closing');
  });

  it('close with a word', async () => {
    const { client, server } = await connections(echo, options, options);
    const stream = client.open({});
    stream.end('x');
    expect(await text(stream)).toBe('x');
    client.close();
    expect(await Promise.all([client.closed, server.closed])).toEqual([undefined, undefined]);
  });
});

it('does not let a full stream hold up others when both have windows', async () => {
  const full = Promise.withResolvers<SpdyStream>();
  const { client } = await connections(
    (stream) => {
      stream.reply();
      if (stream.headers.kind === 'full') full.resolve(stream);
      else stream.pipe(stream);
    },
    { window: 100_000 },
    { window: 100_000 },
  );
  // The windows are received before the first stream.
  const first = client.open({ kind: 'first' });
  first.end('x');
  await text(first);
  const blocked = client.open({ kind: 'full' });
  blocked.write(Buffer.alloc(1_000_000));
  await full.promise;
  const other = client.open({ kind: 'other' });
  other.end('through');
  expect(await text(other)).toBe('through');
  expect((await full.promise).readableLength).toBeLessThan(200_000);
});

it('loses nothing that was written when it closes, even if the peer still sends', async () => {
  const sent = Buffer.alloc(3_000_000, 'x');
  const { client, server } = await connections((stream) => {
    stream.reply();
    stream.end(sent, () => server.close());
  });
  const talker = client.open({});
  await talker.opened;
  talker.write(Buffer.alloc(200_000));
  let size = 0;
  for await (const chunk of talker as AsyncIterable<Buffer>) {
    size += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(size).toBe(sent.length);
});

it('refuses streams beyond the limit, and all when nobody wants them', async () => {
  const { client, server } = await connections((stream) => stream.reply(), {}, { maxStreams: 1 });
  await client.open({}).opened;
  await expect(client.open({}).opened).rejects.toThrow('status 3');
  await expect(server.open({}).opened).rejects.toThrow('status 3');
});

it('sends nothing before the reply, because peers drop it', async () => {
  const opened = Promise.withResolvers<SpdyStream>();
  const { client, far } = await connections(opened.resolve);
  const stream = client.open({});
  stream.end('early');
  const accepted = await opened.promise;
  const bytes = far.bytesRead;
  // After another round trip, there is still no data.
  const other = client.open({});
  await once(far, 'data');
  expect(accepted.readableLength).toBe(0);
  expect(far.bytesRead - bytes).toBeLessThan(100);
  other.destroy();
  accepted.reply();
  expect(await text(accepted)).toBe('early');
});

it('pings', async () => {
  const [near, far] = duplexPair();
  const connection = new SpdyConnection(near, { role: 'client', pingIntervalMs: 1 });
  const [first] = (await once(far, 'data')) as [Buffer];
  expect(first).toEqual(ping(1));
  far.write(ping(2));
  const acknowledged = Promise.withResolvers<void>();
  far.on('data', (bytes: Buffer) => void (bytes.includes(ping(2)) && acknowledged.resolve()));
  await acknowledged.promise;
  connection.destroy();
  await connection.closed;
});

describe('a connection whose peer', () => {
  const peer = (options: Partial<SpdyConnectionOptions> = {}) => {
    const [near, far] = duplexPair();
    const streams: SpdyStream[] = [];
    const onStream = (stream: SpdyStream) => {
      streams.push(stream);
      stream.reply();
    };
    const connection = new SpdyConnection(near, { role: 'server', onStream, ...options });
    onTestFinished(() => connection.destroy());
    const frames: [number, Buffer][] = [];
    const reader = new FrameReader(
      {
        data: (id, _flags, chunk) => void frames.push([-id, chunk]),
        control: (type, _flags, payload) => void frames.push([type, payload]),
        refuse: (problem) => {
          throw new Error(problem);
        },
      },
      { maxControlBytes: 100_000 },
    );
    far.on('data', (bytes: Buffer) => reader.read(bytes));
    far.on('error', () => {});
    return { connection, far, frames, streams };
  };
  const block = () => new HeaderWriter().write({ a: 'b' });
  const control = (type: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt16BE(0x8003);
    head.writeUInt16BE(type, 2);
    head.writeUInt32BE(payload.length, 4);
    return Buffer.concat([head, payload]);
  };
  const tooLarge = () => {
    const writer = new HeaderWriter();
    return synStream(1, 0, writer.write({ a: 'x'.repeat(100_000) }));
  };

  it.each<[string, () => Buffer, string]>([
    ['uses an even id', () => synStream(2, 0, block()), 'stream id 2 is not valid'],
    [
      'uses an id twice',
      () => Buffer.concat([synStream(1, 0, block()), synStream(1, 0, block().subarray(6))]),
      'stream id 1 is not valid',
    ],
    [
      'sends headers that are no zlib',
      () => synStream(1, 0, Buffer.from('nonsense')),
      'the header block is not compressed with zlib',
    ],
    [
      'sends headers that do not decompress',
      () => synStream(1, 0, Buffer.from('78bbe3c6a7c2ffffffffffff', 'hex')),
      'the header block cannot be decompressed',
    ],
    ['sends headers that are cut off', () => synStream(1, 0, block().subarray(0, 6)), 'the header block is cut off'],
    ['sends headers that are too large', tooLarge, 'the header block cannot be decompressed'],
    [
      'sends a control frame that is too large',
      () => Buffer.from('8003000100ffffff', 'hex'),
      'a control frame is too large',
    ],
    [
      'sends a control frame that is too short',
      () => control(frameTypes.windowUpdate, Buffer.alloc(4)),
      'a control frame is too short',
    ],
    [
      'sends more settings than there are',
      () => control(frameTypes.settings, Buffer.from('00000009', 'hex')),
      'a control frame is too short',
    ],
    [
      'speaks another version',
      () => Buffer.from('8002000600000004', 'hex'),
      'a frame has another version of the protocol',
    ],
  ])('%s is ended', async (_name, bytes, message) => {
    const { connection, far } = peer();
    far.write(bytes());
    expect((await connection.closed)?.message).toBe(message);
  });

  it('sends bytes one by one is understood', async () => {
    const { far, streams } = peer();
    const bytes = Buffer.concat([
      synStream(1, 0, block()),
      dataHead(1, 0, 5),
      Buffer.from('hello'),
      control(77, Buffer.from('unknown')),
      rstStream(99, 1),
      dataHead(99, 0, 1),
      Buffer.from('?'),
      control(frameTypes.headers, Buffer.concat([Buffer.from('00000001', 'hex'), block().subarray(6)])),
      dataHead(1, flagFin, 1),
      Buffer.from('!'),
    ]);
    for (const byte of bytes) far.write(Buffer.from([byte]));
    await vi.waitUntil(() => streams.length === 1, { interval: 1 });
    expect(streams[0]!.headers).toEqual({ a: 'b' });
    expect(await text(streams[0]!)).toBe('hello!');
  });

  it('has windows gets no more than they allow', async () => {
    const { far, frames, streams } = peer();
    far.write(Buffer.concat([windowUpdate(0, 1_000_000), synStream(1, 0, block())]));
    await vi.waitUntil(() => streams.length === 1, { interval: 1 });
    streams[0]!.end(Buffer.alloc(100_000));
    const sent = (): number => frames.filter(([type]) => type === -1).reduce((sum, [, chunk]) => sum + chunk.length, 0);
    await vi.waitUntil(() => sent() >= 65_536, { interval: 1 });
    far.write(windowUpdate(1, 10));
    await vi.waitUntil(() => sent() >= 65_546, { interval: 1 });
    expect(sent()).toBe(65_546);
    far.write(windowUpdate(1, 1_000_000));
    await vi.waitUntil(() => sent() === 100_000, { interval: 1 });
  });

  it('exceeds a window is told so', async () => {
    const { far, frames, streams } = peer({ window: 10 });
    far.write(Buffer.concat([windowUpdate(0, 1), synStream(1, 0, block()), dataHead(1, 0, 11), Buffer.alloc(11)]));
    await vi.waitUntil(() => frames.some(([type]) => type === frameTypes.rstStream), { interval: 1 });
    expect(frames.find(([type]) => type === frameTypes.rstStream)![1]).toEqual(Buffer.from('0000000100000007', 'hex'));
    expect(streams[0]!.destroyed).toBe(true);
  });

  it('pings and does not read is ended', async () => {
    const source = new Duplex({ read() {}, write() {} });
    const connection = new SpdyConnection(source, { role: 'server' });
    const pings = Buffer.concat(Array.from({ length: 20_000 }, () => ping(1)));
    for (let i = 0; i < 10 && !source.destroyed; i++) {
      source.push(pings);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await connection.closed)?.message).toBe('the peer does not read');
  });
});

describe('header blocks', () => {
  it('are one zlib stream for the receiver', () => {
    const writer = new HeaderWriter();
    const reader = new HeaderReader({ maxBytes: 1000 });
    for (const value of ['one', 'two', 'ä\0ö']) {
      expect(reader.read(writer.write({ a: value, b: '' }))).toEqual({ a: value, b: '' });
    }
  });

  it('are read when another implementation keeps state', async () => {
    const deflate = createDeflate({ dictionary });
    const reader = new HeaderReader({ maxBytes: 100_000 });
    const plain = (name: string, value: string): Buffer => {
      const bytes = Buffer.alloc(12 + name.length + value.length);
      bytes.writeUInt32BE(1);
      bytes.writeUInt32BE(name.length, 4);
      bytes.write(name, 8);
      bytes.writeUInt32BE(value.length, 8 + name.length);
      bytes.write(value, 12 + name.length);
      return bytes;
    };
    // Together they exceed the window of the compression.
    for (const value of ['GET', 'GET', 'x'.repeat(20_000), 'y'.repeat(20_000), 'GET', 'x'.repeat(20_000)]) {
      deflate.write(plain('accept-encoding', value));
      await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
      expect(reader.read(deflate.read())).toEqual({ 'accept-encoding': value });
    }
  });

  it('without the dictionary are read', () => {
    const plain = Buffer.from('00000001000000016100000001 62'.replace(' ', ''), 'hex');
    const block = deflateSync(plain, { finishFlush: constants.Z_SYNC_FLUSH });
    expect(new HeaderReader({ maxBytes: 100 }).read(block)).toEqual({ a: 'b' });
  });
});

it('answers in the form of SPDY/3', () => {
  expect(synReply(1, 0, Buffer.from('ff', 'hex')).toString('hex')).toBe('800300020000000500000001ff');
  expect(synStream(3, 1, Buffer.from('ff', 'hex')).toString('hex')).toBe(
    '80030001 0100000b 00000003 00000000 0000 ff'.replaceAll(' ', ''),
  );
});
