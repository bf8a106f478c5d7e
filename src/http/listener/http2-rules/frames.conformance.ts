import { expect } from 'vitest';
import {
  continuationFrame,
  dataFrame,
  errorCode,
  flag,
  frame,
  frameTypes,
  goAwayFrame,
  headersFrame,
  padded,
  pingFrame,
  priorityFrame,
  resetFrame,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from '../raw-frames.conformance.ts';
import { isSettingsAck } from '../raw-http2-client.conformance.ts';
import {
  alive,
  closed,
  connectionError,
  dataOf,
  dummy,
  fields,
  get,
  heldPost,
  lastData,
  post,
  type Rules,
  responds,
  type Step,
  streamEnded,
  streamError,
} from './rule.conformance.ts';

const { protocolError, streamClosed, frameSizeError, flowControlError, noError } = errorCode;
const maxFrameSize = 16_384;
const maxWindow = 2 ** 31 - 1;
/** Frames of a type that are too short or too long for it. */
const sized = (type: number, length: number, id = 0): Buffer => frame(type, Buffer.alloc(length), { id });
const window = (size: number): Buffer => settingsFrame([[setting.initialWindowSize, size]]);
/** The settings of the handshake count as well. */
const acknowledged =
  (count: number): Step =>
  async (client) => {
    await client.until(() => client.frames.filter(isSettingsAck).length > count);
  };

/** The types of frames and their errors (RFC 9113, 4.2, 6 and 7). */
export const frames: Rules = {
  'the size of a frame': [
    {
      name: 'DATA as large as may be',
      send: [post(1), lastData(1, 'd'.repeat(maxFrameSize))],
      expect: responds(1, 'd'.repeat(maxFrameSize)),
    },
    {
      name: 'DATA larger than that',
      send: [post(1), sized(frameTypes.data, maxFrameSize + 1, 1)],
      expect: streamError(1, frameSizeError),
    },
    {
      name: 'HEADERS larger than that',
      send: [headersFrame(1, Buffer.concat([fields(), dummy(maxFrameSize)]))],
      expect: connectionError(frameSizeError),
    },
    {
      name: 'SETTINGS larger than that',
      send: [sized(frameTypes.settings, 6 * 2731)],
      expect: connectionError(frameSizeError),
    },
    {
      name: 'an unknown frame larger than that',
      send: [sized(22, maxFrameSize + 1)],
      expect: connectionError(frameSizeError),
    },
  ],
  DATA: [
    { name: 'on stream 0', send: [get(1), lastData(0)], expect: connectionError(protocolError) },
    {
      name: 'on a stream that has ended',
      send: [get(1), streamEnded(1), lastData(1)],
      expect: streamError(1, streamClosed),
    },
    {
      name: 'more padding than payload',
      send: [post(1), dataFrame(1, Buffer.from([20, 1, 2, 3, 4]), flag.padded | flag.endStream)],
      expect: connectionError(protocolError),
    },
    {
      name: 'padding, but no length of it',
      send: [post(1), dataFrame(1, '', flag.padded)],
      expect: connectionError(frameSizeError, protocolError),
    },
    {
      name: 'padding only',
      send: [post(1), dataFrame(1, padded('', 255), flag.padded), lastData(1)],
      expect: responds(1, 'test'),
    },
  ],
  HEADERS: [
    {
      name: 'PRIORITY before their end',
      send: [headersFrame(1, fields(), flag.endStream), priorityFrame(1), continuationFrame(1, dummy())],
      expect: connectionError(protocolError),
    },
    {
      name: 'HEADERS of another stream before their end',
      send: [headersFrame(1, fields(), flag.endStream), get(3), continuationFrame(1, dummy())],
      expect: connectionError(protocolError),
    },
    { name: 'on stream 0', send: [headersFrame(0, fields())], expect: connectionError(protocolError) },
    {
      name: 'more padding than payload',
      send: [headersFrame(1, Buffer.concat([Buffer.from([200]), fields()]), flag.endHeaders | flag.padded)],
      expect: connectionError(protocolError),
    },
    {
      name: 'too short for the priority',
      send: [headersFrame(1, Buffer.alloc(4), flag.endHeaders | flag.priority)],
      expect: connectionError(frameSizeError, protocolError),
    },
  ],
  PRIORITY: [
    { name: 'on stream 0', send: [priorityFrame(0)], expect: connectionError(protocolError) },
    {
      name: 'of another length',
      send: [heldPost(1), sized(frameTypes.priority, 4, 1)],
      expect: streamError(1, frameSizeError),
    },
  ],
  RST_STREAM: [
    { name: 'on stream 0', send: [resetFrame(0, errorCode.cancel)], expect: connectionError(protocolError) },
    { name: 'on an idle stream', send: [resetFrame(1, errorCode.cancel)], expect: connectionError(protocolError) },
    {
      name: 'of another length',
      send: [heldPost(1), sized(frameTypes.reset, 3, 1)],
      expect: connectionError(frameSizeError),
    },
    { name: 'an unknown code', send: [heldPost(1), resetFrame(1, 0xff)], expect: alive },
  ],
  SETTINGS: [
    {
      name: 'an acknowledgement with a payload',
      send: [frame(frameTypes.settings, Buffer.alloc(1), { flags: flag.ack })],
      expect: connectionError(frameSizeError),
    },
    {
      name: 'on another stream',
      send: [frame(frameTypes.settings, Buffer.alloc(6), { id: 1 })],
      expect: connectionError(protocolError),
    },
    { name: 'of another length', send: [sized(frameTypes.settings, 3)], expect: connectionError(frameSizeError) },
  ],
  'values of settings': [
    {
      name: 'push of neither 0 nor 1',
      send: [settingsFrame([[setting.enablePush, 2]])],
      expect: connectionError(protocolError),
    },
    { name: 'a window that is too large', send: [window(maxWindow + 1)], expect: connectionError(flowControlError) },
    {
      name: 'frames that are too small',
      send: [settingsFrame([[setting.maxFrameSize, maxFrameSize - 1]])],
      expect: connectionError(protocolError),
    },
    {
      name: 'frames that are too large',
      send: [settingsFrame([[setting.maxFrameSize, 2 ** 24]])],
      expect: connectionError(protocolError),
    },
    { name: 'an unknown one', send: [settingsFrame([[0xff, 1]])], expect: alive },
  ],
  'the order of settings': [
    {
      name: 'the last value of several counts',
      send: [
        settingsFrame([
          [setting.initialWindowSize, 100],
          [setting.initialWindowSize, 1],
        ]),
        acknowledged(1),
        get(1),
      ],
      expect: dataOf(1, 1),
    },
    {
      name: 'each frame is acknowledged',
      send: [settingsFrame([[setting.enablePush, 0]]), window(1), acknowledged(2)],
      expect: alive,
    },
  ],
  PING: [
    {
      name: 'is answered with its payload',
      send: [pingFrame('in order')],
      expect: async (client) => {
        const pong = await client.received(({ type }) => type === frameTypes.ping);
        expect(pong).toMatchObject({ flags: flag.ack, id: 0, payload: Buffer.from('in order') });
      },
    },
    {
      name: 'an answer is not answered',
      send: [pingFrame('unwanted', flag.ack)],
      expect: async (client) => {
        await alive(client);
        expect(client.frames.some(({ payload }) => payload.toString() === 'unwanted')).toBe(false);
      },
    },
    {
      name: 'on another stream',
      send: [frame(frameTypes.ping, Buffer.alloc(8), { id: 1 })],
      expect: connectionError(protocolError),
    },
    { name: 'of another length', send: [sized(frameTypes.ping, 6)], expect: connectionError(frameSizeError) },
  ],
  GOAWAY: [
    {
      name: 'on another stream',
      send: [frame(frameTypes.goAway, Buffer.alloc(8), { id: 1 })],
      expect: connectionError(protocolError),
    },
    { name: 'an unknown code', send: [goAwayFrame(0, 0xff)], expect: closed },
    { name: 'without streams', send: [goAwayFrame(0, noError)], expect: closed },
    { name: 'too short', send: [sized(frameTypes.goAway, 7)], expect: connectionError(frameSizeError) },
  ],
  WINDOW_UPDATE: [
    { name: 'of 0 for the connection', send: [windowUpdateFrame(0, 0)], expect: connectionError(protocolError) },
    { name: 'of 0 for a stream', send: [heldPost(1), windowUpdateFrame(1, 0)], expect: streamError(1, protocolError) },
    { name: 'of another length', send: [sized(frameTypes.windowUpdate, 3)], expect: connectionError(frameSizeError) },
  ],
  'the window of a stream': [
    { name: 'of 1', send: [window(1), acknowledged(1), get(1)], expect: dataOf(1, 1) },
    {
      name: 'of the connection, too large',
      send: [windowUpdateFrame(0, maxWindow), windowUpdateFrame(0, maxWindow)],
      expect: connectionError(flowControlError),
    },
    {
      name: 'too large',
      send: [heldPost(1), windowUpdateFrame(1, maxWindow), windowUpdateFrame(1, maxWindow)],
      expect: streamError(1, flowControlError),
    },
    {
      name: 'grows with the setting',
      send: [window(0), acknowledged(1), get(1), window(1), acknowledged(2)],
      expect: dataOf(1, 1),
    },
    {
      name: 'can be less than nothing',
      send: [window(3), acknowledged(1), get(1), dataOf(1, 3), window(2), acknowledged(2), windowUpdateFrame(1, 2)],
      expect: dataOf(1, 4),
    },
    { name: 'too large by the setting', send: [window(maxWindow + 1)], expect: connectionError(flowControlError) },
    {
      name: 'too large by the setting, on top of what it was given',
      send: [heldPost(1), windowUpdateFrame(1, maxWindow - 65_535), window(maxWindow)],
      expect: connectionError(flowControlError),
    },
  ],
  CONTINUATION: [
    {
      name: 'several',
      send: [
        headersFrame(1, fields(), flag.endStream),
        continuationFrame(1, dummy(), 0),
        continuationFrame(1, dummy()),
      ],
      expect: responds(1),
    },
    {
      name: 'DATA before their end',
      send: [headersFrame(1, fields({ ':method': 'POST' }), 0), continuationFrame(1, dummy(), 0), lastData(1)],
      expect: connectionError(protocolError),
    },
    {
      name: 'on stream 0',
      send: [headersFrame(1, fields(), flag.endStream), continuationFrame(0, dummy())],
      expect: connectionError(protocolError),
    },
    {
      name: 'on another stream',
      send: [headersFrame(1, fields(), flag.endStream), continuationFrame(3, dummy())],
      expect: connectionError(protocolError),
    },
    {
      name: 'after the end of HEADERS',
      send: [get(1), continuationFrame(1, dummy())],
      expect: connectionError(protocolError),
    },
    {
      name: 'after the end of another one',
      send: [headersFrame(1, fields(), flag.endStream), continuationFrame(1, dummy()), continuationFrame(1, dummy())],
      expect: connectionError(protocolError),
    },
    {
      name: 'after DATA',
      send: [heldPost(1), dataFrame(1, 'test'), continuationFrame(1, dummy())],
      expect: connectionError(protocolError),
    },
  ],
  PUSH_PROMISE: [
    {
      name: 'from a client',
      send: [
        heldPost(1),
        frame(frameTypes.pushPromise, Buffer.concat([Buffer.from([0, 0, 0, 3]), fields()]), {
          id: 1,
          flags: flag.endHeaders,
        }),
      ],
      expect: connectionError(protocolError),
    },
  ],
};
