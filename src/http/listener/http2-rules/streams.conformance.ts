import { expect } from 'vitest';
import {
  continuationFrame,
  dataFrame,
  errorCode,
  flag,
  frame,
  frameTypes,
  headersFrame,
  opening,
  preface,
  priority,
  priorityFrame,
  resetFrame,
  windowUpdateFrame,
} from '../raw-frames.conformance.ts';
import {
  alive,
  closed,
  connectionError,
  dummy,
  fields,
  get,
  held,
  heldPost,
  last,
  lastData,
  post,
  type Rules,
  responds,
  streamEnded,
  streamError,
} from './rule.conformance.ts';

const { protocolError, streamClosed, frameSizeError, refusedStream, cancel } = errorCode;
const unknownType = 22;
const invalidPing = frame(frameTypes.ping, Buffer.alloc(6));

/** A request that the server resets, and whose body follows. */
const refused = post(1, ['connection', 'close']);

/** The maximum number of concurrent streams of the listener in these rules. */
export const maxStreams = 10;

/** The preface, the states of streams, errors and extensions (RFC 9113, 3.4, 4.1 and 5). */
export const streams: Rules = {
  preface: [
    {
      name: 'is answered with settings first',
      start: opening,
      send: [],
      expect: async (client) => {
        await alive(client);
        expect(client.frames[0]).toMatchObject({ type: frameTypes.settings, flags: 0, id: 0 });
      },
    },
    { name: 'of another protocol', start: Buffer.from('INVALID CONNECTION PREFACE\r\n\r\n'), send: [], expect: closed },
    {
      name: 'with a wrong last byte',
      start: Buffer.concat([preface.subarray(0, -1), Buffer.from('x')]),
      send: [],
      expect: closed,
    },
    {
      name: 'without settings behind it',
      start: Buffer.concat([preface, get(1)]),
      send: [],
      expect: connectionError(protocolError),
    },
  ],
  'the format of frames': [
    { name: 'an unknown type', send: [frame(unknownType, Buffer.alloc(8))], expect: alive },
    {
      name: 'an undefined flag',
      send: [frame(frameTypes.ping, Buffer.alloc(8), { flags: 0x16 }), get(1)],
      expect: responds(1),
    },
    {
      name: 'the reserved bit',
      send: [frame(frameTypes.ping, Buffer.alloc(8), { id: 2 ** 31 }), get(1)],
      expect: responds(1),
    },
    {
      name: 'the reserved bit of a stream',
      send: [headersFrame(2 ** 31 + 1, fields(), last)],
      expect: responds(1),
    },
  ],
  'an idle stream': [
    { name: 'DATA', send: [lastData(1)], expect: connectionError(protocolError) },
    { name: 'RST_STREAM', send: [resetFrame(1, cancel)], expect: connectionError(protocolError) },
    { name: 'WINDOW_UPDATE', send: [windowUpdateFrame(1, 100)], expect: connectionError(protocolError) },
    { name: 'CONTINUATION', send: [continuationFrame(1, fields())], expect: connectionError(protocolError) },
  ],
  'a half-closed stream': [
    { name: 'DATA', send: [held(1), lastData(1)], expect: streamError(1, streamClosed) },
    { name: 'HEADERS', send: [held(1), held(1)], expect: streamError(1, streamClosed) },
    {
      name: 'CONTINUATION',
      send: [held(1), continuationFrame(1, fields())],
      expect: connectionError(streamClosed, protocolError),
    },
  ],
  'a stream that the client has reset': [
    { name: 'DATA', send: [heldPost(1), resetFrame(1, cancel), lastData(1)], expect: streamError(1, streamClosed) },
    { name: 'HEADERS', send: [heldPost(1), resetFrame(1, cancel), get(1)], expect: streamError(1, streamClosed) },
    {
      name: 'CONTINUATION',
      send: [heldPost(1), resetFrame(1, cancel), continuationFrame(1, dummy())],
      expect: connectionError(streamClosed, protocolError),
    },
    { name: 'WINDOW_UPDATE', send: [heldPost(1), resetFrame(1, cancel), windowUpdateFrame(1, 9)], expect: alive },
    { name: 'RST_STREAM', send: [heldPost(1), resetFrame(1, cancel), resetFrame(1, cancel)], expect: alive },
  ],
  'a stream that has ended': [
    { name: 'DATA', send: [get(1), streamEnded(1), lastData(1)], expect: streamError(1, streamClosed) },
    { name: 'HEADERS', send: [get(1), streamEnded(1), get(1)], expect: connectionError(streamClosed) },
    {
      name: 'CONTINUATION',
      send: [get(1), streamEnded(1), continuationFrame(1, dummy())],
      expect: connectionError(streamClosed, protocolError),
    },
    { name: 'WINDOW_UPDATE', send: [get(1), streamEnded(1), windowUpdateFrame(1, 9)], expect: alive },
    { name: 'RST_STREAM', send: [get(1), streamEnded(1), resetFrame(1, cancel)], expect: alive },
  ],
  // The client may have sent these frames before it received the reset.
  'a stream that the server has reset': [
    {
      name: 'DATA',
      send: [refused, streamEnded(1), dataFrame(1, 'te'), lastData(1, 'st'), get(3)],
      expect: responds(3),
    },
    { name: 'WINDOW_UPDATE', send: [refused, streamEnded(1), windowUpdateFrame(1, 9), get(3)], expect: responds(3) },
    { name: 'RST_STREAM', send: [refused, streamEnded(1), resetFrame(1, cancel), get(3)], expect: responds(3) },
    {
      name: 'trailers, which later ones refer to',
      send: [
        refused,
        streamEnded(1),
        headersFrame(1, Buffer.from('4001780179', 'hex'), last),
        headersFrame(3, Buffer.concat([fields({ ':path': '/header/x' }), Buffer.from('be', 'hex')]), last),
      ],
      expect: responds(3, 'y'),
    },
  ],
  'the number of a stream': [
    { name: 'even', send: [get(2)], expect: connectionError(protocolError) },
    { name: 'lower than before', send: [get(5), get(3)], expect: connectionError(protocolError, streamClosed) },
    { name: 'the highest one', send: [get(2 ** 31 - 1)], expect: responds(2 ** 31 - 1) },
  ],
  'too many streams': [
    {
      name: 'are refused',
      send: Array.from({ length: maxStreams + 1 }, (_, index) => held(2 * index + 1)),
      expect: streamError(2 * maxStreams + 1, refusedStream, protocolError),
    },
    {
      name: 'are none, when others have ended',
      send: [
        ...Array.from({ length: maxStreams }, (_, index) => held(2 * index + 1)),
        resetFrame(1, cancel),
        get(2 * maxStreams + 1),
      ],
      expect: responds(2 * maxStreams + 1),
    },
    {
      name: 'have headers that later ones refer to',
      send: [
        ...Array.from({ length: maxStreams }, (_, index) => held(2 * index + 1)),
        headersFrame(2 * maxStreams + 1, Buffer.concat([fields(), Buffer.from('4001780179', 'hex')]), last),
        resetFrame(1, cancel),
        headersFrame(
          2 * maxStreams + 3,
          Buffer.concat([fields({ ':path': '/header/x' }), Buffer.from('be', 'hex')]),
          last,
        ),
      ],
      expect: responds(2 * maxStreams + 3, 'y'),
    },
  ],
  // RFC 7540 defines errors for these. RFC 9113 has no dependencies any more, so they may be ignored.
  'a dependency of a stream on itself': [
    {
      name: 'HEADERS',
      send: [headersFrame(1, Buffer.concat([priority({ dependsOn: 1 }), fields()]), last | flag.priority)],
      expect: async (client) => {
        const { reset } = await client.response(1);
        if (client.goAwayCode !== undefined) await connectionError(protocolError)(client);
        else if (reset !== undefined) expect(reset).toBe(protocolError);
        else await responds(1)(client);
      },
    },
    {
      name: 'PRIORITY',
      send: [priorityFrame(1, { dependsOn: 1 })],
      expect: async (client) => {
        if (await client.isAlive()) expect(client.goAwayCode ?? protocolError).toBe(protocolError);
        else await connectionError(protocolError)(client);
      },
    },
  ],
  'an error of the connection': [
    { name: 'closes it', send: [invalidPing], expect: closed },
    { name: 'is told before', send: [invalidPing], expect: connectionError(frameSizeError) },
    {
      name: 'is told with the last stream',
      send: [get(1), get(3), streamEnded(1), streamEnded(3), invalidPing],
      expect: async (client) => {
        await connectionError(frameSizeError)(client);
        const goAway = client.frames.findLast(({ type }) => type === frameTypes.goAway)!;
        expect(goAway.payload.readUInt32BE(0)).toBe(3);
      },
    },
  ],
  extensions: [
    { name: 'an unknown frame', send: [frame(unknownType, Buffer.alloc(8), { id: 1 }), get(1)], expect: responds(1) },
    {
      name: 'an unknown frame between those of headers',
      send: [
        headersFrame(1, fields(), flag.endStream),
        frame(unknownType, Buffer.alloc(8)),
        continuationFrame(1, dummy()),
      ],
      expect: connectionError(protocolError),
    },
  ],
  'the window of what clients send': [
    {
      name: 'is too small for a stream that nobody reads',
      send: [heldPost(1), ...Array.from({ length: 80 }, () => dataFrame(1, Buffer.alloc(16_384)))],
      expect: streamError(1, errorCode.flowControlError),
    },
    {
      name: 'has room for what is read',
      send: [post(1), lastData(1, 'd'.repeat(16_384))],
      expect: responds(1, 'd'.repeat(16_384)),
    },
  ],
};
