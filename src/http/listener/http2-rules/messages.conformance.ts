import { dataFrame, errorCode, type Field, fieldBlock, headersFrame } from '../raw-frames.conformance.ts';
import {
  connectionError,
  fields,
  heldPost,
  last,
  lastData,
  post,
  type Rule,
  type Rules,
  responds,
  streamError,
  without,
} from './rule.conformance.ts';

const { protocolError, compressionError } = errorCode;
const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');

/** A request without a body that the server must reject. */
const malformed = (name: string, block: Buffer): Rule => ({
  name,
  send: [headersFrame(1, block, last)],
  expect: streamError(1, protocolError),
});

const malformedField = (name: string, ...others: readonly Field[]): Rule => malformed(name, fields({}, ...others));

/** A request with a representation of a field that cannot be decoded. */
const undecodable = (name: string, representation: string): Rule => ({
  name,
  send: [headersFrame(1, Buffer.concat([fields(), hex(representation)]), last)],
  expect: connectionError(compressionError),
});

/** HTTP messages and the compression of their headers (RFC 9113, 4.3 and 8; RFC 7541). */
export const messages: Rules = {
  'a block of headers': [
    {
      name: 'that is none',
      send: [headersFrame(1, hex('4001781f'), last)],
      expect: connectionError(compressionError),
    },
    {
      name: 'of another stream before its end',
      send: [headersFrame(1, fields(), 1), headersFrame(3, fields(), last)],
      expect: connectionError(protocolError),
    },
  ],
  'a sequence of messages': [
    {
      name: 'headers again, without an end',
      send: [heldPost(1), headersFrame(1, fieldBlock([['x-test', 'ok']]))],
      expect: streamError(1, protocolError),
    },
    {
      name: 'data behind trailers',
      send: [heldPost(1), headersFrame(1, fieldBlock([['x-test', 'ok']]), last), dataFrame(1, 'test')],
      expect: streamError(1, errorCode.streamClosed),
    },
  ],
  fields: [
    malformedField('capitals', ['X-TEST', 'ok']),
    malformedField('an empty name', ['', 'ok']),
    malformedField('a blank in a name', ['x test', 'ok']),
    malformedField('a line break in a value', ['x-test', 'o\r\nk']),
    malformedField('a null in a value', ['x-test', 'o\0k']),
    malformedField('an unknown pseudo-header', [':test', 'ok']),
    malformedField('a pseudo-header of responses', [':status', '200']),
    {
      name: 'a pseudo-header as a trailer',
      send: [heldPost(1), headersFrame(1, fieldBlock([[':method', 'POST']]), last)],
      expect: streamError(1, protocolError),
    },
    malformed(
      'a pseudo-header behind another one',
      Buffer.concat([
        without(':path'),
        fieldBlock([
          ['x', 'y'],
          [':path', '/'],
        ]),
      ]),
    ),
    malformedField('connection', ['connection', 'keep-alive']),
    malformedField('keep-alive', ['keep-alive', '1']),
    malformedField('proxy-connection', ['proxy-connection', 'keep-alive']),
    malformedField('upgrade', ['upgrade', 'h2c']),
    malformedField('transfer-encoding', ['transfer-encoding', 'chunked']),
    malformedField('te of anything but trailers', ['te', 'trailers, deflate']),
    {
      name: 'a cookie in pieces',
      send: [headersFrame(1, fields({ ':path': '/header/cookie' }, ['cookie', 'a=1'], ['cookie', 'b=2']), last)],
      expect: responds(1, 'a=1; b=2'),
    },
    { name: 'te of trailers', send: [headersFrame(1, fields({}, ['te', 'trailers']), last)], expect: responds(1) },
  ],
  'a request': [
    malformed('with an empty path', fields({ ':path': '' })),
    malformed('without a method', without(':method')),
    malformed('without a scheme', without(':scheme')),
    malformed('without a path', without(':path')),
    malformedField('with two methods', [':method', 'GET']),
    malformedField('with two schemes', [':scheme', 'https']),
    malformedField('with two paths', [':path', '/']),
    malformedField('with two authorities', [':authority', 'x']),
  ],
  CONNECT: [
    malformed('to an address with a path', fields({ ':method': 'CONNECT' })),
    malformed(
      'with a protocol, but without a path',
      fieldBlock([
        [':method', 'CONNECT'],
        [':protocol', 'websocket'],
        [':scheme', 'https'],
        [':authority', 'x'],
      ]),
    ),
    malformed('is what a protocol needs', fields({ ':protocol': 'websocket' })),
  ],
  'the length of a body': [
    {
      name: 'is another one',
      send: [post(1, ['content-length', '1']), lastData(1)],
      expect: streamError(1, protocolError),
    },
    {
      name: 'of several frames is another one',
      send: [post(1, ['content-length', '1']), dataFrame(1, 'test'), lastData(1)],
      expect: streamError(1, protocolError),
    },
    { name: 'is less', send: [post(1, ['content-length', '5']), lastData(1)], expect: streamError(1, protocolError) },
    {
      name: 'is nothing',
      send: [headersFrame(1, fields({ ':method': 'POST' }, ['content-length', '5']), last)],
      expect: streamError(1, protocolError),
    },
    { name: 'is right', send: [post(1, ['content-length', '4']), lastData(1)], expect: responds(1, 'test') },
  ],
  'the table of fields': [
    undecodable('an index beyond it', 'c6'),
    undecodable('the index of a name beyond it', '7f0001 79'),
    undecodable('an update behind fields', '21'),
    undecodable('the index 0', '80'),
    {
      name: 'an update beyond its limit',
      send: [headersFrame(1, Buffer.concat([hex('3fe2ffffff07'), fields()]), last)],
      expect: connectionError(compressionError),
    },
    undecodable('an index without an end', 'ffffffffffffffffffffff'),
    {
      name: 'remembers a field for later blocks',
      send: [
        headersFrame(1, Buffer.concat([fields(), hex('40 0178 0179')]), last),
        headersFrame(3, Buffer.concat([fields({ ':path': '/header/x' }), hex('be')]), last),
      ],
      expect: responds(3, 'y'),
    },
    undecodable('a block that ends in a field', '00 0178 05 79'),
  ],
  "Huffman's code": [
    // The literals have the name x. "www.example.com" is padded with more ones, then with zeros.
    undecodable('with a byte of padding', '000178 8df1e3c2e5f23a6ba0ab90f4ffff'),
    undecodable('with other padding', '000178 8cf1e3c2e5f23a6ba0ab90f4fe'),
    undecodable('with the end of the string', '000178 84ffffffff'),
  ],
};
