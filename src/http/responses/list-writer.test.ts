import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ClientHttp2Stream } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ObjectList } from '../../registry/index.ts';
import { InProcessExchange } from '../../server/in-process/in-process-exchange.ts';
import { GzipExchange } from '../compression/gzip-exchange.ts';
import type { Exchange } from '../exchange.ts';
import { connectHttp2, connectRaw, listen, sendHttp1, sendHttp2 } from '../listener/test-listener.conformance.ts';
import { writeList } from './list-writer.ts';
import { ObjectEncoding } from './object-encoding.ts';
import type { OutputFormat } from './output-format.ts';

const groupSize = 64 * 1024;
/** Longer than the window of gzip, so that repetitions do not compress. */
const randomText = randomBytes((groupSize * 3) / 4).toString('base64');
/** More groups than all buffers between server and client hold, on both sides. */
const manyGroups = 2000;

const nobody = {
  remoteAddress: '127.0.0.1',
  clientCertificate: undefined,
  clientCertificateTrusted: false,
  user: undefined,
  secure: true,
};

const encoding = new ObjectEncoding('json');
const type = { group: '', kind: 'Thing', apiVersion: 'v1', schema: undefined };

function format({ query }: Exchange): OutputFormat {
  const mediaType = 'application/json';
  return { encoding, mediaType, streamType: mediaType, type, representation: undefined, pretty: query === 'pretty' };
}

function listOf(groups: Iterable<Buffer>): ObjectList {
  const kind = 'ThingList';
  const items = (allocate: (size: number) => Buffer) => Iterator.from(groups).map((group) => copied(group, allocate));
  return {
    kind,
    apiVersion: 'v1',
    resourceVersion: '7',
    continueToken: '',
    remainingItemCount: undefined,
    count: 0,
    bytes: 0,
    documents: () => [],
    items,
  };
}

/** Incompressible items. They count how many of their groups have been read. */
class CountedGroups implements Iterable<Buffer> {
  taken = 0;
  closed = false;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    try {
      while (this.taken < this.#count) {
        this.taken++;
        yield Buffer.from(`,{"n":${this.taken},"random":"${randomText}"}`);
      }
    } finally {
      this.closed = true;
    }
  }
}

describe('a list', () => {
  const cases = [0, 1, 2, 3, 20].flatMap((count) =>
    [sendHttp1, sendHttp2].flatMap((send) =>
      ['', '?pretty'].flatMap((query) => [false, true].map((gzip) => ({ count, send, query, gzip }))),
    ),
  );

  it.each(cases)(
    'is complete with $count groups: $send.name, $query, gzip $gzip',
    async ({ count, send, query, gzip }) => {
      const groups = Array.from({ length: count }, (_, index) => `,{"n":${index}},{"text":"${randomText}","empty":{}}`);
      const list = listOf(groups.map((group) => Buffer.from(group)));
      const listener = await listen(
        (exchange) => void writeList(gzip ? new GzipExchange(exchange) : exchange, list, format(exchange)),
      );
      const { headers, body } = await send(listener, { path: `/${query}` });
      const whole = `{"kind":"ThingList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":""},"items":[${groups.join('').slice(1)}]}`;
      const expected = query === '' ? `${whole}\n` : JSON.stringify(JSON.parse(whole), undefined, 2);
      const compressed = gzip && expected.length > 131_072;
      expect(headers['content-encoding']).toBe(compressed ? 'gzip' : undefined);
      expect(headers.vary).toBe(compressed ? 'Accept-Encoding' : undefined);
      expect(headers['content-length']).toBe(expected.length > 131_072 ? undefined : String(expected.length));
      expect((compressed ? gunzipSync(body) : body).toString() === expected).toBe(true);
    },
  );
});

describe.each([
  ['sendHttp1', sendHttp1],
  ['sendHttp2', sendHttp2],
])('%s', (_name, send) => {
  it.each([
    ['', 0, undefined],
    ['', 1, 'gzip'],
    ['?pretty', 0, undefined],
    ['?pretty', 1, 'gzip'],
  ])('compresses what is larger than the limit and nothing else: %j, %i bytes more', async (query, more, encoding) => {
    const limit = 131_072;
    const list = (text: string) => listOf([Buffer.from(`,{"text":"${text}"}`)]);
    let text = '';
    const listener = await listen(
      (exchange) => void writeList(new GzipExchange(exchange), list(text), format(exchange)),
    );
    text = 'x'.repeat(limit + more - (await send(listener, { path: `/${query}` })).body.length);
    const { headers, body } = await send(listener, { path: `/${query}` });
    expect(headers['content-encoding']).toBe(encoding);
    expect(encoding === 'gzip' ? gunzipSync(body) : body).toHaveLength(limit + more);
  });
});

describe('a reader that stops', () => {
  const clients: [string, (port: Parameters<typeof connectRaw>[0], query: string) => Promise<() => void>][] = [
    [
      'HTTP/1.1',
      async (listener, query) => {
        const socket = await connectRaw(listener);
        socket.write(`GET /${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await once(socket, 'readable');
        return () => socket.destroy();
      },
    ],
    ['HTTP/2, then resets', async (listener, query) => begun(listener, query, (stream) => stream.close(8))],
    [
      'HTTP/2, then resets without a reason',
      async (listener, query) => begun(listener, query, (stream) => stream.close()),
    ],
    ['HTTP/2, then goes', async (listener, query) => begun(listener, query, (stream) => stream.session!.destroy())],
  ];
  const cases = clients.flatMap(([name, begin]) =>
    ['', '?pretty'].flatMap((query) => [false, true].map((gzip) => ({ name, begin, query, gzip }))),
  );

  it.each(cases)('delays its own list only: $name, $query, gzip $gzip', async ({ begin, query, gzip }) => {
    const groups = new CountedGroups(manyGroups);
    const listener = await listen((exchange) => {
      void writeList(gzip ? new GzipExchange(exchange) : exchange, listOf(groups), format(exchange));
    });
    const leave = await begin(listener, query);
    expect(groups.closed).toBe(false);
    leave();
    await expect.poll(() => groups.closed).toBe(true);
    // The buffers of kernels and client vary. It only matters that this is far less than everything.
    expect(groups.taken).toBeLessThan(manyGroups / 4);
  });

  it.each(['/', '/?pretty'])('and disconnects stops the list: %s', async (path) => {
    const groups = new CountedGroups(manyGroups);
    const client = new AbortController();
    const exchange = new InProcessExchange({ method: 'GET', path, signal: client.signal }, nobody);
    const written = writeList(exchange, listOf(groups), format(exchange));
    // Everything that is possible without a reader has been done by then.
    await new Promise((resolve) => setImmediate(resolve));
    const { taken } = groups;
    expect(taken).toBeGreaterThan(2);
    expect(taken).toBeLessThan(100);
    client.abort();
    await written;
    expect(groups).toMatchObject({ taken, closed: true });
  });
});

async function begun(
  listener: Parameters<typeof connectHttp2>[0],
  query: string,
  leave: (stream: ClientHttp2Stream) => void,
): Promise<() => void> {
  const stream = connectHttp2(listener).request({ ':path': `/${query}` });
  stream.on('error', () => {});
  await once(stream, 'response');
  return () => leave(stream);
}

function copied(group: Buffer, allocate: (size: number) => Buffer): Buffer {
  const copy = allocate(group.length);
  group.copy(copy);
  return copy;
}
