import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { readEnvelope } from './read-envelope.ts';

const prefix = '6b387300';
const typeMeta = '0a0f 0a02 7631 1209 436f6e6669674d6170';
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('readEnvelope', () => {
  it.each([
    ['type and content', `${prefix} ${typeMeta} 1202 aabb`, { kind: 'ConfigMap', apiVersion: 'v1', raw: 'aabb' }],
    ['no type', `${prefix} 1201 aa`, { kind: '', apiVersion: '', raw: 'aa' }],
    ['no content', `${prefix} ${typeMeta}`, { kind: 'ConfigMap', apiVersion: 'v1', raw: '' }],
    ['content first', `${prefix} 1201 aa ${typeMeta}`, { kind: 'ConfigMap', apiVersion: 'v1', raw: 'aa' }],
    ['the last content', `${prefix} 1201 aa 1201 bb`, { kind: '', apiVersion: '', raw: 'bb' }],
    ['the type in parts', `${prefix} 0a04 0a02 7631 0a03 1201 41`, { kind: 'A', apiVersion: 'v1', raw: '' }],
    ['no encoding and no content type', `${prefix} 1201 aa 1a00 2200`, { kind: '', apiVersion: '', raw: 'aa' }],
    ['unknown fields', `${prefix} 1201 aa 2a01 00 3005`, { kind: '', apiVersion: '', raw: 'aa' }],
  ])('reads %s', (_name, hex, { raw, ...type }) => {
    expect(readEnvelope(bytes(hex))).toEqual({ ...type, raw: bytes(raw) });
  });

  it.each(['application/vnd.kubernetes.protobuf', 'application/vnd.svc.protobuf'])('reads content of %s', (type) => {
    const stated = `22 ${Buffer.of(type.length).toString('hex')} ${Buffer.from(type).toString('hex')}`;
    expect(readEnvelope(bytes(`${prefix} 1201 aa ${stated}`)).raw).toEqual(bytes('aa'));
  });

  const noMessage = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
  it.each([
    ['nothing', '', 'empty data'],
    ['other data', '68656c6c6f', noMessage],
    ['a part of the prefix', '6b3873', noMessage],
    ['another version of the prefix', '6b38730112', noMessage],
    ['only the prefix', prefix, 'empty body'],
    ['garbage', `${prefix} ffffffff`, 'unexpected EOF'],
    ['content beyond the end', `${prefix} 1205 aa`, 'unexpected EOF'],
    ['content that is a number', `${prefix} 1005`, 'proto: wrong wireType = 0 for field raw'],
    ['a type that is a number', `${prefix} 0805`, 'proto: wrong wireType = 0 for field typeMeta'],
    ['an encoding', `${prefix} 1201 aa 1a04 677a6970`, 'unsupported contentEncoding "gzip"'],
    ['another content type', `${prefix} 1201 aa 2203 782f79`, 'unsupported contentType "x/y"'],
    ['an encoding that is a number', `${prefix} 1805`, 'proto: wrong wireType = 0 for field contentEncoding'],
    ['a kind that is a number', `${prefix} 0a02 1005`, 'proto: wrong wireType = 0 for field kind'],
  ])('rejects %s', (_name, hex, message) => {
    expect(() => readEnvelope(bytes(hex))).toThrow(new DecodeError(message));
  });
});
