import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { TestApi } from './api.ts';
import { encodeBody, mediaTypeOf } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';
import { warningsOf } from './warnings-of.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const levels = ['Ignore', 'Warn', 'Strict'] as const;
const strict = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ';

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true' });
  client = new RawClient(api);
  await api.post(configMaps, { metadata: { name: 'c' } });
});
afterAll(async () => {
  client.close();
  await api.stop();
});

interface Case {
  readonly about: string;
  readonly encoding: EncodingName;
  readonly body: string | Buffer;
  /** The findings as separate warnings. */
  readonly warnings: readonly string[];
  /** The findings in the error message, if it is not the list of warnings. */
  readonly complaint?: string;
}

const object = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'c', bar: 1 },
  data: { a: 'b' },
  foo: { x: 1 },
};

const cases: Case[] = [
  {
    about: 'unknown fields',
    encoding: 'json',
    body: JSON.stringify(object),
    warnings: ['unknown field "metadata.bar"', 'unknown field "foo"'],
  },
  {
    about: 'duplicate fields',
    encoding: 'json',
    body: '{"metadata":{"name":"d","name":"c"},"data":{"a":"1","a":"2"}}',
    warnings: ['duplicate field "metadata.name"', 'duplicate field "data.a"'],
  },
  {
    about: 'both',
    encoding: 'json',
    body: '{"metadata":{"name":"c","name":"c"},"foo":1,"foo":2}',
    warnings: ['duplicate field "metadata.name"', 'unknown field "foo"'],
  },
  {
    about: 'nothing',
    encoding: 'json',
    body: '{"metadata":{"name":"c"}}',
    warnings: [],
  },
  {
    about: 'unknown fields',
    encoding: 'yaml',
    body: encodeBody('yaml', object),
    warnings: ['unknown field "foo"', 'unknown field "metadata.bar"'],
  },
  {
    about: 'duplicate keys',
    encoding: 'yaml',
    body: 'metadata:\n  name: c\ndata:\n  a: "1"\n  a: "2"\n  b: "1"\n  b: "2"\n',
    warnings: ['line 5: key "a" already set in map', 'line 7: key "b" already set in map'],
    complaint: 'yaml: unmarshal errors:\n  line 5: key "a" already set in map\n  line 7: key "b" already set in map',
  },
  {
    about: 'both',
    encoding: 'yaml',
    body: 'metadata:\n  name: c\nfoo: 1\ndata: {}\ndata: {}\n',
    warnings: ['line 5: key "data" already set in map', 'unknown field "foo"'],
    complaint: 'yaml: unmarshal errors:\n  line 5: key "data" already set in map, unknown field "foo"',
  },
  {
    about: 'fields that nobody can see',
    encoding: 'protobuf',
    // A field with the unknown number 99 at the end of the envelope.
    body: Buffer.concat([encodeBody('protobuf', { ...object }), Buffer.from('9a06027a7a', 'hex')]),
    warnings: [],
  },
  {
    about: 'unknown fields, of which the first is told',
    encoding: 'cbor',
    body: encodeBody('cbor', { ...object, metadata: { name: 'c' }, more: 1 }),
    warnings: [expect.stringMatching(/^cbor: found unknown field at map element index [0-9]+$/)],
  },
];

describe.each(cases)('$about in $encoding', ({ encoding, body, warnings, complaint }) => {
  const send = async (method: string, path: string) => {
    const headers = { 'content-type': mediaTypeOf[encoding] };
    const response = await client.call(method, path, { headers, body });
    return {
      status: response.status,
      warnings: warningsOf(response.headers),
      body: JSON.parse(response.bytes.toString()),
    };
  };

  it.each([
    ['POST', `${configMaps}?dryRun=All`],
    ['PUT', `${configMaps}/c?dryRun=All`],
  ])('%s at every level', async (method, path) => {
    // An object with this name already exists.
    const success = method === 'POST' ? 409 : 200;
    const ignored = await send(method, `${path}&fieldValidation=Ignore`);
    expect({ status: ignored.status, warnings: ignored.warnings }).toEqual({ status: success, warnings: [] });
    for (const level of ['', '&fieldValidation=', '&fieldValidation=Warn']) {
      const warned = await send(method, `${path}${level}`);
      expect({ status: warned.status, warnings: warned.warnings }).toEqual({ status: success, warnings });
      if (success === 200) expect(warned.body).not.toHaveProperty('foo');
    }
    const refused = await send(method, `${path}&fieldValidation=Strict`);
    expect(refused.status).toBe(warnings.length === 0 ? success : 400);
    expect(refused.warnings).toEqual([]);
    if (refused.status !== 400) return;
    const text = complaint ?? (encoding === 'cbor' ? warnings[0] : warnings.join(', '));
    expect(refused.body).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
    expect(refused.body.message.slice(0, strict.length)).toBe(strict);
    expect(refused.body.message.slice(strict.length)).toEqual(text);
  });
});

const wrongType = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';

describe.each(levels)('a fatal error wins at level %s', (level) => {
  it.each<[EncodingName, string | Buffer, string]>([
    ['json', '{"foo":1,"metadata":{"name":7}}', 'json: cannot unmarshal number into Go struct field '],
    ['json', '{"data":{"a":"1","a":"2"},"metadata":[]}', 'json: cannot unmarshal array into Go struct field '],
    ['yaml', 'foo: 1\nfoo: 2\nmetadata:\n  name: 7\n', 'json: cannot unmarshal number into Go struct field '],
    ['yaml', 'foo: 1\nmetadata:\n  name: yes\n', 'json: cannot unmarshal bool into Go struct field '],
    ['cbor', encodeBody('cbor', { kind: 'ConfigMap', apiVersion: 'v1', foo: 1, metadata: { name: 7 } }), ''],
  ])('%s %#', async (encoding, body, message) => {
    for (const [method, path] of [
      ['POST', configMaps],
      ['PUT', `${configMaps}/c`],
    ] as const) {
      const headers = { 'content-type': mediaTypeOf[encoding] };
      const response = await client.call(method, `${path}?fieldValidation=${level}`, { headers, body });
      expect(response.status).toBe(400);
      expect(warningsOf(response.headers)).toEqual([]);
      const status = JSON.parse(response.bytes.toString());
      expect(status.message.startsWith(`${wrongType}${message}`)).toBe(true);
      expect(status.message).not.toMatch(/foo|strict|unknown field/);
    }
  });

  it.each([
    ['merge', '{"foo":1,"data":{"a":1}}'],
    ['strategic', '{"foo":1,"data":{"a":1}}'],
    ['json', '[{"op":"add","path":"/foo","value":1},{"op":"add","path":"/data","value":{"a":1}}]'],
  ])('%s patch', async (type, patch) => {
    const { status, headers, body } = await api.patch(`${configMaps}/c?fieldValidation=${level}`, patch, type);
    expect(status).toBe(400);
    expect(warningsOf(headers)).toEqual([]);
    expect(body.message).toMatch(
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field /,
    );
  });
});

describe.each([
  ['merge', '{"foo":1,"metadata":{"bar":1},"data":{"a":"1","a":"2"}}', true],
  ['strategic', '{"foo":1,"metadata":{"bar":1},"data":{"a":"1","a":"2"}}', true],
  [
    'json',
    '[{"op":"add","path":"/foo","value":1},{"op":"add","path":"/metadata/bar","value":1},{"op":"add","path":"/data","value":{}}]',
    false,
  ],
])('a %s patch', (type, patch, hasDuplicate) => {
  const found = [
    ...(hasDuplicate ? ['duplicate field "data.a"'] : []),
    'unknown field "foo"',
    'unknown field "metadata.bar"',
  ];
  const send = (query: string) => api.patch(`${configMaps}/c?dryRun=All${query}`, patch, type);

  it('has one warning for each field, and all of them in one refusal', async () => {
    const ignored = await send('&fieldValidation=Ignore');
    expect({ status: ignored.status, warnings: warningsOf(ignored.headers) }).toEqual({ status: 200, warnings: [] });
    for (const level of ['', '&fieldValidation=Warn']) {
      const warned = await send(level);
      expect({ status: warned.status, warnings: warningsOf(warned.headers) }).toEqual({ status: 200, warnings: found });
    }
    const refused = await send('&fieldValidation=Strict');
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain(`strict decoding error: ${found.join(', ')}`);
  });
});

it('an unknown level is refused in every encoding', async () => {
  for (const encoding of ['json', 'yaml', 'protobuf', 'cbor'] as const) {
    const headers = { 'content-type': mediaTypeOf[encoding] };
    const body = encodeBody(encoding, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } });
    const { status } = await client.call('POST', `${configMaps}?fieldValidation=Other`, { headers, body });
    expect(status).toBe(422);
  }
});
