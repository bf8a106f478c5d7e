import type { EncodingName } from '../../src/codec/media-types.ts';
import { envelope } from '../codec/envelope.ts';
import { encodeBody, type Typed } from '../wire/peer-codecs.ts';
import type { HostileRequest } from './hostile-request.ts';
import { maxBody } from './many.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

const contentTypes = { cbor: 'application/cbor', protobuf: 'application/vnd.kubernetes.protobuf' } as const;
type BinaryEncoding = keyof typeof contentTypes & EncodingName;
const encodings = Object.keys(contentTypes) as BinaryEncoding[];

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };

function map<T>(count: number, unit: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, unit(index)]));
}

function list<T>(count: number, unit: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => unit(index));
}

/** Objects whose sizes are slightly below the limits of the server, or far above them. */
const objects: Readonly<Record<string, { path: string; object: () => Typed }>> = {
  'many keys': {
    path: configMaps,
    object: () => ({ ...configMap, metadata: { name: 'a' }, data: map(150_000, () => 'v') }),
  },
  'many keys, within bounds': {
    path: configMaps,
    object: () => ({ ...configMap, metadata: { name: 'a' }, data: map(19_000, () => 'v') }),
  },
  'labels, within bounds': {
    path: configMaps,
    object: () => ({ ...configMap, metadata: { name: 'a', labels: map(19_000, () => 'v') } }),
  },
  'finalizers, within bounds': {
    path: configMaps,
    object: () => ({ ...configMap, metadata: { name: 'a', finalizers: list(9_900, (i) => `a.b/k${i}`) } }),
  },
  'owners, within bounds': {
    path: configMaps,
    object: () => ({
      ...configMap,
      metadata: {
        name: 'a',
        ownerReferences: list(9_000, (i) => ({ apiVersion: 'v1', kind: 'Pod', name: `n${i}`, uid: `u${i}` })),
      },
    }),
  },
  containers: {
    path: pods,
    object: () => ({ ...pod, spec: { containers: list(40_000, (i) => ({ name: `c${i}`, image: 'i' })) } }),
  },
  'containers, within bounds': {
    path: pods,
    object: () => ({ ...pod, spec: { containers: list(9_900, (i) => ({ name: `c${i}`, image: 'i' })) } }),
  },
  'variables, within bounds': {
    path: pods,
    object: () => ({
      ...pod,
      spec: { containers: [{ name: 'a', image: 'b', env: list(9_900, (i) => ({ name: `E${i}`, value: 'v' })) }] },
    }),
  },
  'spread constraints, within bounds': {
    path: pods,
    object: () => ({
      ...pod,
      spec: {
        containers: [{ name: 'a', image: 'b' }],
        topologySpreadConstraints: list(9_900, (i) => ({
          maxSkew: 1,
          topologyKey: `k${i}`,
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      },
    }),
  },
};

/** Repeats the unit between two other parts, up to the maximum size of a body. */
function filled(before: Buffer, unit: Buffer, after: Buffer = Buffer.alloc(0)): Buffer {
  const room = maxBody - before.length - after.length - 100;
  return Buffer.concat([before, Buffer.alloc(room - (room % unit.length), unit), after]);
}

const stop = Buffer.of(0xff);
/** A CBOR map of indefinite length, up to the value of the key. */
const openMap = (key: string): Buffer => Buffer.concat([Buffer.of(0xbf, 0x60 + key.length), Buffer.from(key)]);

const cbor: Readonly<Record<string, () => Buffer>> = {
  'CBOR: small lists': () =>
    filled(Buffer.concat([openMap('x'), Buffer.of(0x9f)]), Buffer.of(0x80), Buffer.of(0xff, 0xff)),
  'CBOR: small maps': () =>
    filled(Buffer.concat([openMap('x'), Buffer.of(0x9f)]), Buffer.of(0xa0), Buffer.of(0xff, 0xff)),
  'CBOR: one key again and again': () => filled(Buffer.of(0xbf), Buffer.of(0x61, 0x61, 0x01), stop),
  'CBOR: deep lists': () => filled(openMap('x'), Buffer.of(0x81)),
  'CBOR: a text in many pieces': () =>
    filled(Buffer.concat([openMap('x'), Buffer.of(0x7f)]), Buffer.of(0x61, 0x61), Buffer.of(0xff, 0xff)),
  'CBOR: tags': () => filled(openMap('x'), Buffer.of(0xc1)),
  'CBOR: unknown fields, within bounds': () =>
    encodeCbor({ ...configMap, metadata: { name: 'a' }, ...map(19_000, () => 1) }),
  'CBOR: unknown fields in lists, within bounds': () =>
    encodeCbor({ ...configMap, metadata: { name: 'a', ownerReferences: list(9_900, (i) => ({ [`u${i}`]: 1 })) } }),
};

function encodeCbor(object: Typed): Buffer {
  return encodeBody('cbor', object);
}

const ofConfigMap = (message: Buffer): Buffer => envelope(message, configMap);

const protobuf: Readonly<Record<string, () => Buffer>> = {
  'protobuf: unknown fields': () => ofConfigMap(filled(Buffer.alloc(0), Buffer.of(0xc0, 0x3e, 0x01))),
  'protobuf: empty entries of a map': () => ofConfigMap(filled(Buffer.alloc(0), Buffer.of(0x12, 0x00))),
  'protobuf: metadata again and again': () => ofConfigMap(filled(Buffer.alloc(0), Buffer.of(0x0a, 0x00))),
  'protobuf: one key again and again': () =>
    ofConfigMap(filled(Buffer.alloc(0), Buffer.of(0x12, 0x06, 0x0a, 0x01, 0x61, 0x12, 0x01, 0x62))),
  'protobuf: groups in groups': () => ofConfigMap(filled(Buffer.alloc(0), Buffer.of(0xc3, 0x3e))),
  'protobuf: empty finalizers': () => ofConfigMap(inMetadata(filled(Buffer.alloc(0), Buffer.of(0x72, 0x00)))),
};

/** Encodes the length of the field in at least three bytes, as large fields need. */
function inMetadata(content: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = content.length; rest > 0; rest >>>= 7) length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return Buffer.concat([Buffer.of(0x0a, ...length), content]);
}

function post(encoding: BinaryEncoding, path: string, body: () => Buffer): Omit<HostileRequest, 'about'> {
  const headers = { 'content-type': contentTypes[encoding], accept: 'application/json' };
  return { method: 'POST', path, headers, body };
}

/** Bodies in the binary encodings. */
export const hostileEncodings: readonly HostileRequest[] = [
  ...encodings.flatMap((encoding) =>
    Object.entries(objects).map(([about, { path, object }]) => ({
      about: `${encoding === 'cbor' ? 'CBOR' : encoding}: ${about}`,
      ...post(encoding, path, () => encodeBody(encoding, object())),
    })),
  ),
  ...Object.entries(cbor).map(([about, body]) => ({ about, ...post('cbor', configMaps, body) })),
  ...Object.entries(protobuf).map(([about, body]) => ({ about, ...post('protobuf', configMaps, body) })),
  {
    about: 'apply patch: many keys in CBOR, within bounds',
    method: 'PATCH',
    path: `${configMaps}/few?fieldManager=m&force=true`,
    headers: { 'content-type': 'application/apply-patch+cbor', accept: 'application/json' },
    body: () => encodeCbor({ ...configMap, metadata: { name: 'few' }, data: map(19_000, () => 'v') }),
  },
];
