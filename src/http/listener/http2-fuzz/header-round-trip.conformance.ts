import http2 from 'node:http2';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Exchange } from '../../exchange.ts';
import type { Listener } from '../listener.ts';
import type { Field } from '../raw-frames.conformance.ts';
import { caCert } from '../test-listener.conformance.ts';

/** Names that both sides leave unchanged. Some are in the static table, and some are repeated. */
const names = fc.oneof(
  fc.constantFrom('accept', 'authorization', 'cache-control', 'user-agent', 'x-again', 'vary', 'server', 'via', 'link'),
  fc
    .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_'), minLength: 1, maxLength: 40 })
    .map((name) => `x-${name}`),
);
/** Without leading and trailing blanks, which are not part of a value. */
const values = fc.oneof(
  fc.constantFrom('', 'application/json', 'again and again', '0', '200'),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('0', 'e', '~', '|', 'a b'), minLength: 100, maxLength: 600 }),
);
const fields = fc.uniqueArray(fc.tuple(names, values), { maxLength: 15, selector: ([name]) => name });

interface RoundTrip {
  readonly requestFields: readonly Field[];
  readonly responseFields: readonly Field[];
  /** Whether the value must not be added to any table. */
  readonly secret: boolean;
}

const trips: fc.Arbitrary<readonly RoundTrip[]> = fc.array(
  fc.record({ requestFields: fields, responseFields: fields, secret: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

/** The table sizes of the peer, which determine how often entries are evicted. */
const tableSizes = fc.constantFrom(0, 50, 300, 4_096, 65_536);

/** Responds with the headers in the body of the request, and with the headers of the request. */
export async function echoHeaders(exchange: Exchange): Promise<void> {
  const wanted = JSON.parse((await exchange.readBody(1 << 20)).toString()) as Field[];
  const { rawHeaders } = exchange;
  const received = Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i], rawHeaders[2 * i + 1]]);
  exchange.respond(
    200,
    { ...Object.fromEntries(wanted), 'content-type': 'application/json' },
    JSON.stringify(received),
  );
}

/** Headers arrive as they were sent, in both directions, on connections of Node's own client. */
export function headersRoundTrip(listener: Listener): fc.IAsyncProperty<[readonly RoundTrip[], readonly number[]]> {
  return fc.asyncProperty(trips, fc.array(tableSizes, { minLength: 1, maxLength: 3 }), async (all, sizes) => {
    const session = http2.connect(`https://127.0.0.1:${listener.port}`, {
      ca: caCert,
      settings: { headerTableSize: sizes[0]! },
    });
    session.on('error', () => {});
    try {
      for (const [round, headerTableSize] of sizes.entries()) {
        // Responses may be in flight while the server receives the setting.
        if (round > 0) session.settings({ headerTableSize });
        await checkRoundTrips(session, all);
      }
    } finally {
      session.destroy();
    }
  });
}

async function checkRoundTrips(session: http2.ClientHttp2Session, all: readonly RoundTrip[]): Promise<void> {
  const concurrent = all.map((trip) => exchanged(session, trip));
  for (const [index, { received, got }] of (await Promise.all(concurrent)).entries()) {
    const { requestFields, responseFields } = all[index]!;
    expect(received).toEqual(requestFields);
    for (const [name, value] of responseFields) expect([name, got[name]]).toEqual([name, value]);
  }
}

async function exchanged(session: http2.ClientHttp2Session, { requestFields, responseFields, secret }: RoundTrip) {
  const headers: http2.OutgoingHttpHeaders = { ':method': 'POST', ...Object.fromEntries(requestFields) };
  if (secret) headers[http2.sensitiveHeaders as unknown as string] = requestFields.map(([name]) => name);
  const stream = session.request(headers);
  stream.end(JSON.stringify(responseFields));
  const got = await new Promise<http2.IncomingHttpHeaders>((resolve, reject) => {
    stream.once('response', resolve).once('error', reject);
  });
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  const received = (JSON.parse(text) as Field[]).filter(([name]) => !name.startsWith(':') && name !== 'content-length');
  return { received, got };
}
