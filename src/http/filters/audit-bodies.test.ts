import { describe, expect, it } from 'vitest';
import type { Level } from '../../audit/index.ts';
import { encoders } from '../../codec/encoders/index.ts';
import type { EncodingName } from '../../codec/media-types.ts';
import { schemaOf } from '../../resources/index.ts';
import { List } from '../../schema/meta-types.ts';
import { headersOf } from '../render.ts';
import { formats, reading, responding, run } from './audited-run.conformance.ts';

describe('bodies', () => {
  const configMap = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'c', uid: 'u', resourceVersion: '7' },
    data: { a: 'b' },
  };
  const created = { ...configMap, metadata: { ...configMap.metadata, managedFields: [{ manager: 'm' }] } };
  const post = (level: Level, more: object = {}) =>
    run('/api/v1/namespaces/n/configmaps', {
      method: 'POST',
      body: JSON.stringify(configMap),
      level,
      handler: reading(created, 201),
      ...more,
    });

  it.each<[Level, boolean, boolean]>([
    ['Metadata', false, false],
    ['Request', true, false],
    ['RequestResponse', true, true],
  ])('are shown by level: %s', async (level, request, response) => {
    const { events } = await post(level);
    const [received, complete] = events;
    expect(received).not.toHaveProperty('requestObject');
    expect(complete!.requestObject).toEqual(request ? configMap : undefined);
    expect(complete!.responseObject).toEqual(response ? created : undefined);
    expect(complete!.responseStatus).toEqual({ metadata: {}, code: 201 });
    // The name in the object is logged at every level.
    expect(complete!.objectRef).toEqual({
      resource: 'configmaps',
      namespace: 'n',
      name: 'c',
      uid: 'u',
      apiVersion: 'v1',
      resourceVersion: '7',
    });
  });

  it('have no managed fields when the policy says so', async () => {
    const { events } = await post('RequestResponse', { rules: { omitManagedFields: true } });
    expect(events[1]!.responseObject).toEqual(configMap);
  });

  it.each<EncodingName>(['json', 'yaml', 'protobuf', 'cbor'])(
    'are JSON in the log whatever they were: %s',
    async (name) => {
      const schema = schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' })!;
      const type = formats.plainOffers.find(({ encoding }) => encoding.name === name)!.mediaType;
      const encoded = encoders[name].encode(configMap, schema);
      const { events } = await run('/api/v1/namespaces/n/configmaps/c', {
        method: 'PUT',
        level: 'RequestResponse',
        headers: { 'content-type': `${type}; charset=utf-8` },
        body: encoded,
        handler: async ({ exchange }) => {
          await exchange.readBody(1e6);
          exchange.respond(200, headersOf(exchange, type), encoded);
        },
      });
      expect(events[1]!.requestObject).toMatchObject(configMap);
      expect(events[1]!.responseObject).toMatchObject(configMap);
    },
  );

  it('are shown in every encoding of a list', async () => {
    const schema = schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' })!;
    const { kind, apiVersion, ...item } = configMap;
    const encoder = encoders.protobuf;
    const frame = encoder.openList({
      value: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' } },
      field: 'items',
      count: 1,
      schema: List,
    });
    const one = encoder.item(item, schema);
    const before = frame.beforeFirst(one.length);
    const { events } = await run('/api/v1/namespaces/n/configmaps', {
      level: 'RequestResponse',
      handler: ({ exchange }) => {
        const stream = exchange.respondStream(200, headersOf(exchange, 'application/vnd.kubernetes.protobuf'));
        for (const piece of [frame.head(before.length + one.length), before, one, frame.tail]) stream.write(piece);
        stream.end();
      },
    });
    expect(events[1]!.responseObject).toMatchObject({
      kind: 'ConfigMapList',
      metadata: { resourceVersion: '9' },
      items: [item],
    });
  });

  it.each<[string, string, unknown]>([
    ['application/json-patch+json', '[{"op":"remove","path":"/data/a"}]', [{ op: 'remove', path: '/data/a' }]],
    ['application/merge-patch+json', '{"data":{"a":null}}', { data: { a: null } }],
    ['application/apply-patch+yaml', 'data:\n  a: "1"\n', { data: { a: '1' } }],
  ])('are shown as they are for patches: %s', async (type, body, expected) => {
    const { events } = await run('/api/v1/namespaces/n/configmaps/c', {
      method: 'PATCH',
      level: 'Request',
      headers: { 'content-type': type },
      body,
      handler: reading(created),
    });
    expect(events[1]!.requestObject).toEqual(expected);
    expect(events[1]!.objectRef).not.toHaveProperty('uid');
  });

  it.each([
    ['text', 'text/plain', 'hello'],
    ['broken', 'application/json', '{'],
    ['none', 'application/json', ''],
  ])('are not shown if they are no objects: %s', async (_name, type, body) => {
    const { events } = await run('/api/v1/namespaces/n/configmaps', {
      method: 'POST',
      level: 'RequestResponse',
      headers: { 'content-type': type },
      body,
      handler: async ({ exchange }) => {
        await exchange.readBody(1e6);
        exchange.respond(200, { 'content-type': type }, body);
      },
    });
    expect(events[1]).not.toHaveProperty('requestObject');
    expect(events[1]).not.toHaveProperty('responseObject');
  });

  it('are omitted if they are too large, streamed or not', async () => {
    const large = { kind: 'ConfigMap', data: { a: 'x'.repeat(5 * 1024 * 1024) } };
    const bytes = Buffer.from(JSON.stringify(large));
    const whole = await run('/api/v1/pods', { level: 'RequestResponse', handler: responding(large) });
    const pieces = await run('/api/v1/pods', {
      level: 'RequestResponse',
      handler: ({ exchange }) => {
        const stream = exchange.respondStream(200, headersOf(exchange, 'application/json'));
        for (let at = 0; at < bytes.length; at += 65536) stream.write(bytes.subarray(at, at + 65536));
        stream.end();
      },
    });
    for (const { events } of [whole, pieces]) {
      expect(events[1]).not.toHaveProperty('responseObject');
      expect(events[1]!.annotations).toEqual({ 'audit.k8s.io/truncated': 'true' });
    }
  });

  it('are copied, so the writer may reuse the buffer', async () => {
    const { events } = await run('/api/v1/pods', {
      level: 'RequestResponse',
      handler: ({ exchange }) => {
        const stream = exchange.respondStream(200, headersOf(exchange, 'application/json'));
        const chunk = Buffer.from('{"kind":"A"}');
        stream.write(chunk);
        chunk.fill('x');
        stream.end();
      },
    });
    expect(events[1]!.responseObject).toEqual({ kind: 'A' });
  });
});
