import { describe, expect, test } from 'vitest';
import { generateObject } from '../../test/codec/generated-object.ts';
import { encodeCbor } from '../codec/cbor/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import { encodeMessage, readEnvelope, writeEnvelope } from '../codec/protobuf/index.ts';
import { apiVersionOf } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../registry/index.ts';
import { builtInResources, optionalResources } from '../resources/index.ts';
import { compileKind, Findings } from '../schema/normalize/index.ts';
import type { TransformedValue } from '../storage/index.ts';
import { kubernetesLayout, storageMediaTypes } from './kubernetes-layout.ts';

const layout = kubernetesLayout();

const read = (stored: Buffer | string, key: string): TransformedValue =>
  layout.fromStored(Buffer.from(stored), key) as TransformedValue;
const write = (object: object, key: string): Buffer => layout.toStored(Buffer.from(encodeJson(object)), key) as Buffer;
const parsed = ({ value }: { value: Buffer }): unknown => JSON.parse(value.toString());

const uid = '8a0cf0f5-61a4-4c2e-a2c1-6a2ff5a1b1d0';
const namespace = {
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name: 'a', uid, creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
};
const namespaceKey = '/registry/namespaces/a';

test('a built-in object is protobuf in an envelope, without a resource version', () => {
  const fields = (...pieces: (number | string)[]): Buffer =>
    Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.of(piece))));
  const metadata = fields(
    ...[0x0a, 1, 'a', 0x12, 0, 0x1a, 0, 0x22, 0, 0x2a, 36, uid, 0x32, 0, 0x38, 0],
    ...[0x42, 8, 0x08, 0xa5, 0xeb, 0xdc, 0xca, 0x06, 0x10, 0],
  );
  const message = Buffer.concat([
    fields(0x0a, metadata.length),
    metadata,
    fields(0x12, 12, 0x0a, 10, 'kubernetes', 0x1a, 8, 0x0a, 6, 'Active'),
  ]);
  const expected = Buffer.concat([
    fields('k8s', 0, 0x0a, 15, 0x0a, 2, 'v1', 0x12, 9, 'Namespace', 0x12, message.length),
    message,
    fields(0x1a, 0, 0x22, 0),
  ]);
  expect(write(namespace, namespaceKey)).toEqual(expected);
  const { value, ...integrity } = read(expected, namespaceKey);
  expect(parsed({ value })).toMatchObject(namespace);
  expect(integrity).toEqual({});
});

test('the allocation of node ports is a RangeAllocation', () => {
  const key = '/registry/ranges/servicenodeports';
  const allocation = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: {}, range: '30000-30007', data: 'Ag==' };
  const stored = write(allocation, key);
  const metadata = [0x0a, 0, 0x12, 0, 0x1a, 0, 0x22, 0, 0x2a, 0, 0x32, 0, 0x38, 0, 0x42, 0];
  expect(readEnvelope(stored)).toMatchObject({ kind: 'RangeAllocation', apiVersion: 'v1' });
  expect(Buffer.from(readEnvelope(stored).raw)).toEqual(
    Buffer.concat([
      Buffer.of(0x0a, metadata.length, ...metadata),
      Buffer.of(0x12, 11),
      Buffer.from('30000-30007'),
      Buffer.of(0x1a, 1, 2),
    ]),
  );
  expect(parsed(read(stored, key))).toMatchObject({ range: '30000-30007', data: 'Ag==' });
});

const types = Map.groupBy(
  [...builtInResources, ...optionalResources].filter(({ storage }) => storage !== undefined),
  ({ storage }) => storage!.keyPrefix,
);

/** Returns an object as the registry stores it: with all defaults, in canonical form. */
function storedObject({ schema, kind, rules, group, version }: ResourceDefinition, seed: number): ResourceObject {
  const compiled = compileKind({ schema, kind, apiVersion: apiVersionOf({ group, version }) });
  const object = compiled.normalize(generateObject(schema, { seed, density: 0.3 }), new Findings());
  rules.setDefaults?.(object);
  Object.assign(object.metadata, { uid, resourceVersion: undefined });
  return compiled.normalize(object, new Findings(), { defaults: false });
}

describe.each(storageMediaTypes)('%s', (mediaType) => {
  const inMediaType = kubernetesLayout(mediaType);

  // Definitions with random fields are not valid. Their test is below.
  const withSchema = [...types].filter(([prefix]) => !prefix.includes('customresourcedefinitions'));

  test.each(withSchema)('%s: an object of the registry survives', (prefix, versions) => {
    const own = versions.find(
      ({ version, group, storage }) => version === storage!.version && group === storage!.group,
    )!;
    const key = `/registry/${prefix}/x`;
    for (let seed = 0; seed < 6; seed++) {
      const value = Buffer.from(encodeJson(storedObject(own, seed)));
      const stored = inMediaType.toStored(value, key) as Buffer;
      const { value: again, ...integrity } = inMediaType.fromStored(stored, key) as TransformedValue;
      // YAML sorts the keys of arbitrary JSON.
      if (mediaType === 'application/yaml') expect(parsed({ value: again })).toEqual(parsed({ value }));
      else expect(again.toString()).toBe(value.toString());
      expect(integrity).toEqual({});
    }
  });
});

test.each([
  ['mutatingadmissionpolicies', 'admissionregistration.k8s.io/v1beta1'],
  ['mutatingadmissionpolicybindings', 'admissionregistration.k8s.io/v1beta1'],
  ['horizontalpodautoscalers', 'autoscaling/v2'],
  ['events', 'v1'],
  ['controllers', 'v1'],
  ['deviceclasses', 'resource.k8s.io/v1'],
])('%s are stored as %s', (prefix, apiVersion) => {
  const { kind, storage } = types.get(prefix)![0]!;
  const object = { kind, apiVersion: apiVersionOf(storage!), metadata: { name: 'x', uid } };
  expect(readEnvelope(write(object, `/registry/${prefix}/x`))).toMatchObject({ kind, apiVersion });
});

const deployment = builtInResources.find(({ resource }) => resource === 'deployments')!;
const slice = optionalResources.find(({ resource, version }) => resource === 'deviceclasses' && version === 'v1beta1')!;
const meta = { name: 'x', uid };

test.each([
  ['a retired version', deployment, 'apps/v1beta2', '/registry/deployments/default/x', 'apps/v1'],
  ['an older version', slice, 'resource.k8s.io/v1beta1', '/registry/deviceclasses/x', 'resource.k8s.io/v1'],
])('%s is read and stale', (_title, { schema, kind }, apiVersion, key, expected) => {
  const stored = writeEnvelope({ kind, apiVersion }, encodeMessage(schema, { metadata: meta }));
  const result = read(stored, key);
  expect(result.stale).toBe(true);
  expect(parsed(result)).toMatchObject({ kind, apiVersion: expected, metadata: meta });
});

test('an older object gets the defaults of fields that it does not have', () => {
  const spec = { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } };
  const type = { kind: 'Deployment', apiVersion: 'apps/v1' };
  const stored = writeEnvelope(type, encodeMessage(deployment.schema, { metadata: meta, spec }));
  expect(parsed(read(stored, '/registry/deployments/default/x'))).toMatchObject({
    spec: { replicas: 1, revisionHistoryLimit: 10, template: { spec: { restartPolicy: 'Always' } } },
  });
});

describe('custom resources', () => {
  const key = '/registry/example.com/crontabs/default/x';
  const crontab = {
    apiVersion: 'example.com/v1',
    kind: 'CronTab',
    metadata: { name: 'x', namespace: 'default', uid, annotations: { uid: 'no' } },
    spec: { z: 1, a: [{ c: null, b: 2 }] },
    alpha: '<',
  };
  const sorted =
    '{"alpha":"\\u003c","apiVersion":"example.com/v1","kind":"CronTab",' +
    `"metadata":{"annotations":{"uid":"no"},"name":"x","namespace":"default","uid":"${uid}"},` +
    '"spec":{"a":[{"b":2,"c":null}],"z":1}}\n';

  test('are JSON with sorted keys, whatever the media type', () => {
    for (const mediaType of storageMediaTypes) {
      expect(
        kubernetesLayout(mediaType)
          .toStored(Buffer.from(encodeJson(crontab)), key)
          .toString(),
      ).toBe(sorted);
    }
  });

  test('have their metadata in the order of the registry', () => {
    const { value, stale } = read(sorted, key);
    expect(stale).toBeUndefined();
    expect(value.toString()).toMatch(/^\{"apiVersion":"example.com\/v1","kind":"CronTab","metadata":\{"name":"x",/);
    expect(parsed({ value })).toEqual(crontab);
  });

  test('are read from CBOR, too', () => {
    const result = read(encodeCbor(crontab), key);
    expect(result.stale).toBe(true);
    expect(parsed(result)).toMatchObject({ spec: crontab.spec });
  });
});

describe('definitions are stored as v1beta1', () => {
  const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.example.com';
  const schema = { openAPIV3Schema: { type: 'object' } };
  const column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
  const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
  const definition = (spec: object): ResourceObject => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'crontabs.example.com', uid, creationTimestamp: '2026-01-02T03:04:05Z' },
    spec: { group: 'example.com', names, scope: 'Cluster', ...spec },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] } as never,
  });
  const version = (name: string, settings: object) => ({ name, served: true, storage: name === 'v1', ...settings });

  test.each([
    [
      'what is the same in all versions is in the spec',
      {
        versions: [
          version('v1', { schema, additionalPrinterColumns: [column] }),
          version('v2', { schema, subresources: { status: {} } }),
        ],
        conversion: { strategy: 'None' },
      },
      {
        version: 'v1',
        validation: schema,
        versions: [
          version('v1', { additionalPrinterColumns: [{ name: 'Age', type: 'date', JSONPath: column.jsonPath }] }),
          version('v2', { subresources: { status: {} } }),
        ],
        conversion: { strategy: 'None' },
        preserveUnknownFields: false,
      },
    ],
    [
      'the conversion webhook has no field of its own',
      {
        versions: [version('v1', { schema, selectableFields: [{ jsonPath: '.spec.a' }] })],
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://example.com' }, conversionReviewVersions: ['v1'] },
        },
      },
      {
        version: 'v1',
        validation: schema,
        versions: [version('v1', {})],
        selectableFields: [{ jsonPath: '.spec.a' }],
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'https://example.com' },
          conversionReviewVersions: ['v1'],
        },
        preserveUnknownFields: false,
      },
    ],
  ])('%s', (_title, spec, expected) => {
    const stored = write(definition(spec), key);
    expect(JSON.parse(stored.toString())).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      spec: { group: 'example.com', names, scope: 'Cluster', ...expected },
    });
    expect(parsed(read(stored, key))).toMatchObject(definition(spec));
  });

  test('the oldest ones have a single version, and preserve unknown fields', () => {
    const old = { ...definition({ version: 'v1' }), apiVersion: 'apiextensions.k8s.io/v1beta1' };
    expect(parsed(read(JSON.stringify(old), key))).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: { versions: [{ name: 'v1', served: true, storage: true }], preserveUnknownFields: true },
    });
  });
});

const encoded = writeEnvelope({ kind: 'Namespace', apiVersion: 'v1' }, Buffer.of(0x0a, 0x05, 0x00));

test.each([
  ['nothing', '', namespaceKey, 'the value is not an object'],
  ['damaged protobuf', encoded, namespaceKey, 'unexpected EOF'],
  ['another kind', writeEnvelope({ kind: 'Pod', apiVersion: 'v1' }, Buffer.of()), namespaceKey, 'the value is a Pod'],
  ['another version', '{"kind":"Namespace","apiVersion":"v7"}', namespaceKey, 'unknown version v7'],
  ['an encrypted value', 'k8s:enc:aescbc:v1:key1:abc', namespaceKey, 'the value is encrypted'],
  ['no JSON', '{"kind":', namespaceKey, 'unexpected end of JSON input'],
  ['protobuf of an unknown type', encoded, '/registry/podsecuritypolicies/x', 'the type Namespace is not known'],
  ['what is no object', '{}', '/registry/masterleases/10.0.0.1', 'not that of an object'],
  ['a custom resource without a kind', '{"metadata":{}}', '/registry/example.com/x/y', 'states no kind'],
])('%s is corrupt', (_title, stored, key, reason) => {
  expect(read(stored, key)).toEqual({ value: Buffer.from(stored), corrupt: expect.stringContaining(reason) });
});
