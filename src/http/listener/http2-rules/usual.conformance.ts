import { expect } from 'vitest';
import {
  continuationFrame,
  dataFrame,
  errorCode,
  fieldBlock,
  flag,
  frameTypes,
  goAwayFrame,
  headersFrame,
  padded,
  pingFrame,
  priority,
  priorityFrame,
  resetFrame,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from '../raw-frames.conformance.ts';
import { isSettingsAck } from '../raw-http2-client.conformance.ts';
import {
  alive,
  dataOf,
  dummy,
  fields,
  get,
  heldPost,
  last,
  lastData,
  post,
  type Rules,
  responds,
  type Step,
  streamEnded,
} from './rule.conformance.ts';

const noWindow = settingsFrame([[setting.initialWindowSize, 0]]);
const pingAcknowledged: Step = async (client) => {
  await client.received(({ type, flags }) => type === frameTypes.ping && flags === flag.ack);
};

/** A field in the given representation, after those of a request. The response contains its value. */
const withField = (name: string, representation: string): Buffer =>
  headersFrame(
    1,
    Buffer.concat([fields({ ':path': `/header/${name}` }), Buffer.from(representation.replaceAll(' ', ''), 'hex')]),
    last,
  );

// In Huffman's code as in RFC 7541, C.4: "custom-key", "custom-value", "www.example.com".
const [huffmanKey, huffmanValue, huffmanHost] = [
  '8825a849e95ba97d7f',
  '8925a849e95bb8e8b4bf',
  '8cf1e3c2e5f23a6ba0ab90f4ff',
];
const plainKey = `0a${Buffer.from('custom-key').toString('hex')}`;
const plainValue = `0c${Buffer.from('custom-value').toString('hex')}`;
const plainAgent = `06${Buffer.from('tester').toString('hex')}`;

/** Frames of usual clients, all of which must be accepted. */
export const usual: Rules = {
  'starting HTTP/2': [{ name: 'the preface and settings', send: [], expect: alive }],
  'streams and multiplexing': [
    { name: 'PRIORITY on an idle stream', send: [priorityFrame(1, { weight: 255 })], expect: alive },
    {
      name: 'WINDOW_UPDATE on a half-closed stream',
      send: [noWindow, get(1), windowUpdateFrame(1, 1)],
      expect: dataOf(1, 1),
    },
    {
      name: 'PRIORITY on a half-closed stream',
      send: [noWindow, get(1), priorityFrame(1, { weight: 255 }), windowUpdateFrame(1, 1)],
      expect: dataOf(1, 1),
    },
    {
      name: 'RST_STREAM on a half-closed stream',
      send: [noWindow, get(1), resetFrame(1, errorCode.cancel)],
      expect: alive,
    },
    {
      name: 'PRIORITY on a closed stream',
      send: [get(1), streamEnded(1), priorityFrame(1, { weight: 255 })],
      expect: alive,
    },
  ],
  DATA: [
    { name: 'one frame', send: [post(1), lastData(1)], expect: responds(1, 'test') },
    { name: 'several frames', send: [post(1), dataFrame(1, 'te'), lastData(1, 'st')], expect: responds(1, 'test') },
    {
      name: 'padding',
      send: [post(1), dataFrame(1, padded('test', 6), flag.padded | flag.endStream)],
      expect: responds(1, 'test'),
    },
  ],
  HEADERS: [
    { name: 'one frame', send: [get(1)], expect: responds(1) },
    { name: 'padding', send: [headersFrame(1, padded(fields(), 6), last | flag.padded)], expect: responds(1) },
    {
      name: 'a priority',
      send: [headersFrame(1, Buffer.concat([priority({ weight: 255 }), fields()]), last | flag.priority)],
      expect: responds(1),
    },
    {
      name: 'a priority and padding',
      send: [
        headersFrame(
          1,
          padded(Buffer.concat([priority({ weight: 255 }), fields()]), 6),
          last | flag.priority | flag.padded,
        ),
      ],
      expect: responds(1),
    },
  ],
  PRIORITY: [
    { name: 'the lowest weight', send: [priorityFrame(1, { weight: 0 }), get(1)], expect: responds(1) },
    { name: 'the highest weight', send: [priorityFrame(1, { weight: 255 }), get(1)], expect: responds(1) },
    { name: 'a dependency', send: [priorityFrame(3, { dependsOn: 1 }), get(1)], expect: responds(1) },
    { name: 'an exclusive one', send: [priorityFrame(1, { isExclusive: true }), get(1)], expect: responds(1) },
    { name: 'on an idle stream with a higher number', send: [priorityFrame(3), get(1)], expect: responds(1) },
  ],
  RST_STREAM: [{ name: 'of an open stream', send: [heldPost(1), resetFrame(1, errorCode.cancel)], expect: alive }],
  SETTINGS: [
    {
      name: 'are acknowledged',
      send: [settingsFrame([[setting.maxConcurrentStreams, 100]])],
      expect: async (client) => {
        await client.until(() => client.frames.filter(isSettingsAck).length === 2);
        await alive(client);
      },
    },
  ],
  PING: [{ name: 'is answered', send: [pingFrame('whatever'), pingAcknowledged], expect: alive }],
  GOAWAY: [
    {
      name: 'lets streams end',
      send: [post(1), goAwayFrame(0, errorCode.noError), lastData(1)],
      expect: async (client) => {
        expect(await client.response(1)).toEqual({ status: 200, body: 'test' });
      },
    },
  ],
  WINDOW_UPDATE: [
    { name: 'of the connection', send: [windowUpdateFrame(0, 1), get(1)], expect: responds(1) },
    { name: 'of a stream', send: [post(1), windowUpdateFrame(1, 1), lastData(1)], expect: responds(1, 'test') },
  ],
  CONTINUATION: [
    {
      name: 'one frame',
      send: [headersFrame(1, fields(), flag.endStream), continuationFrame(1, dummy())],
      expect: responds(1),
    },
    {
      name: 'several frames, in the middle of fields',
      send: [
        headersFrame(1, fields().subarray(0, 5), flag.endStream),
        continuationFrame(1, fields().subarray(5, 12), 0),
        continuationFrame(1, fields().subarray(12)),
      ],
      expect: responds(1),
    },
  ],
  'HTTP messages': [
    { name: 'GET', send: [get(1)], expect: responds(1) },
    { name: 'HEAD', send: [headersFrame(1, fields({ ':method': 'HEAD' }), last)], expect: responds(1, '') },
    { name: 'POST', send: [post(1), lastData(1)], expect: responds(1, 'test') },
    {
      name: 'POST with trailers',
      send: [
        post(1, ['trailer', 'x-test']),
        dataFrame(1, 'test'),
        headersFrame(1, fieldBlock([['x-test', 'ok']]), last),
      ],
      expect: responds(1, 'test'),
    },
  ],
  HPACK: [
    { name: 'an indexed field', send: [withField('accept-encoding', '90')], expect: responds(1, 'gzip, deflate') },
    {
      name: 'indexing, indexed name',
      send: [withField('user-agent', `7a ${plainAgent}`)],
      expect: responds(1, 'tester'),
    },
    {
      name: 'indexing, indexed name, Huffman',
      send: [withField('user-agent', `7a ${huffmanHost}`)],
      expect: responds(1, 'www.example.com'),
    },
    {
      name: 'indexing, new name',
      send: [withField('custom-key', `40 ${plainKey} ${plainValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'indexing, new name, Huffman',
      send: [withField('custom-key', `40 ${huffmanKey} ${huffmanValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'an entry of the dynamic table',
      send: [withField('custom-key', `40 ${huffmanKey} ${huffmanValue} be`)],
      expect: responds(1, 'custom-value, custom-value'),
    },
    {
      name: 'no indexing, indexed name',
      send: [withField('user-agent', `0f2b ${plainAgent}`)],
      expect: responds(1, 'tester'),
    },
    {
      name: 'no indexing, indexed name, Huffman',
      send: [withField('user-agent', `0f2b ${huffmanHost}`)],
      expect: responds(1, 'www.example.com'),
    },
    {
      name: 'no indexing, new name',
      send: [withField('custom-key', `00 ${plainKey} ${plainValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'no indexing, new name, Huffman',
      send: [withField('custom-key', `00 ${huffmanKey} ${huffmanValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'never indexed, indexed name',
      send: [withField('user-agent', `1f2b ${plainAgent}`)],
      expect: responds(1, 'tester'),
    },
    {
      name: 'never indexed, indexed name, Huffman',
      send: [withField('user-agent', `1f2b ${huffmanHost}`)],
      expect: responds(1, 'www.example.com'),
    },
    {
      name: 'never indexed, new name',
      send: [withField('custom-key', `10 ${plainKey} ${plainValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'never indexed, new name, Huffman',
      send: [withField('custom-key', `10 ${huffmanKey} ${huffmanValue}`)],
      expect: responds(1, 'custom-value'),
    },
    {
      name: 'an update of the table size',
      send: [headersFrame(1, Buffer.concat([Buffer.from('20', 'hex'), fields()]), last)],
      expect: responds(1),
    },
    {
      name: 'two updates of the table size',
      send: [headersFrame(1, Buffer.concat([Buffer.from('203fe11f', 'hex'), fields()]), last)],
      expect: responds(1),
    },
  ],
};
