import { describe, expect, it, test } from 'vitest';
import {
  bool,
  bytes,
  field,
  float64,
  int32,
  int64,
  intOrString,
  listOf,
  mapOf,
  namedList,
  namedString,
  quantity,
  rawExtension,
  string,
  struct,
  time,
} from '../builders.ts';
import { compileKind, Findings } from './index.ts';

const ObjectMeta = struct('meta/v1.ObjectMeta', () => ({
  name: field(1, string),
  creationTimestamp: field(2, time),
  labels: field(3, mapOf(string)),
}));
const Port = struct('core/v1.ContainerPort', () => ({
  containerPort: field(1, int32),
  targetPort: field(2, intOrString),
}));
const Handler = struct('core/v1.ProbeHandler', () => ({ command: field(1, listOf(string)) }));
const Probe = struct('core/v1.Probe', () => ({ handler: field(1, Handler, { inline: true }) }));
const Container = struct('core/v1.Container', () => ({
  name: field(1, string),
  ports: field(2, listOf(Port)),
  probe: field(3, Probe, { pointer: true }),
  limits: field(4, mapOf(quantity)),
}));
const PodSpec = struct('core/v1.PodSpec', () => ({
  policy: field(20, namedString('core/v1.RestartPolicy')),
  families: field(21, listOf(namedString('core/v1.IPFamily'))),
  containers: field(1, listOf(Container)),
  seconds: field(2, int64, { pointer: true }),
  hostNetwork: field(3, bool),
  weight: field(4, float64),
  extra: field(5, mapOf(namedList('authentication/v1.ExtraValue', string))),
  parts: field(6, mapOf(Port)),
  raw: field(7, rawExtension, { pointer: true }),
  key: field(8, bytes),
  divisor: field(9, quantity, { pointer: true }),
}));
const Pod = struct('core/v1.Pod', () => ({ metadata: field(1, ObjectMeta), spec: field(2, PodSpec) }));
const pod = compileKind({ schema: Pod, kind: 'Pod', apiVersion: 'v1' });

const cannot = 'json: cannot unmarshal';

describe('type errors with the messages of Go', () => {
  test.each<[unknown, string]>([
    [[], `${cannot} array into Go value of type v1.Pod`],
    [{ kind: 5 }, `${cannot} number into Go struct field Pod.kind of type string`],
    [{ spec: 'x' }, `${cannot} string into Go struct field Pod.spec of type v1.PodSpec`],
    [{ metadata: { name: 1 } }, `${cannot} number into Go struct field ObjectMeta.metadata.name of type string`],
    [
      { metadata: { labels: [] } },
      `${cannot} array into Go struct field ObjectMeta.metadata.labels of type map[string]string`,
    ],
    [
      { metadata: { labels: { a: true } } },
      `${cannot} bool into Go struct field ObjectMeta.metadata.labels of type string`,
    ],
    [{ spec: { seconds: 'x' } }, `${cannot} string into Go struct field PodSpec.spec.seconds of type int64`],
    [{ spec: { seconds: 1.5 } }, `${cannot} number 1.5 into Go struct field PodSpec.spec.seconds of type int64`],
    [
      { spec: { seconds: 2n ** 63n } },
      `${cannot} number 9223372036854775808 into Go struct field PodSpec.spec.seconds of type int64`,
    ],
    [{ spec: { policy: 5 } }, `${cannot} number into Go struct field PodSpec.spec.policy of type v1.RestartPolicy`],
    [{ spec: { families: [5] } }, `${cannot} number into Go struct field PodSpec.spec.families of type v1.IPFamily`],
    [{ spec: { families: 'x' } }, `${cannot} string into Go struct field PodSpec.spec.families of type []v1.IPFamily`],
    [{ spec: { hostNetwork: 'yes' } }, `${cannot} string into Go struct field PodSpec.spec.hostNetwork of type bool`],
    [{ spec: { weight: '1' } }, `${cannot} string into Go struct field PodSpec.spec.weight of type float64`],
    [
      { spec: { containers: {} } },
      `${cannot} object into Go struct field PodSpec.spec.containers of type []v1.Container`,
    ],
    [
      { spec: { containers: [{ ports: [{ containerPort: 'x' }] }] } },
      `${cannot} string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
    ],
    [
      { spec: { containers: [{ ports: [{ containerPort: 3e9 }] }] } },
      `${cannot} number 3000000000 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
    ],
    [
      { spec: { containers: [{ ports: [{ targetPort: true }] }] } },
      `${cannot} bool into Go struct field ContainerPort.spec.containers.ports.targetPort of type int32`,
    ],
    [
      { spec: { containers: [{ probe: { command: 'x' } }] } },
      `${cannot} string into Go struct field Probe.spec.containers.probe.ProbeHandler.command of type []string`,
    ],
    [
      { spec: { containers: [{ limits: [] }] } },
      `${cannot} array into Go struct field Container.spec.containers.limits of type v1.ResourceList`,
    ],
    [{ spec: { extra: { a: 'x' } } }, `${cannot} string into Go struct field PodSpec.spec.extra of type v1.ExtraValue`],
    [
      { spec: { parts: { a: { containerPort: {} } } } },
      `${cannot} object into Go struct field ContainerPort.spec.parts.containerPort of type int32`,
    ],
    [{ spec: { key: 'a*' } }, 'illegal base64 data at input byte 1'],
    [{ spec: { key: 'aaaaa' } }, 'illegal base64 data at input byte 4'],
    [{ spec: { key: 'aa=' } }, 'illegal base64 data at input byte 3'],
    [{ spec: { key: 'aa==x' } }, 'illegal base64 data at input byte 4'],
    [{ spec: { key: '=aaa' } }, 'illegal base64 data at input byte 0'],
    [{ spec: { key: 5 } }, `${cannot} number into Go struct field PodSpec.spec.key of type []uint8`],
    [
      { spec: { divisor: {} } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      { metadata: { creationTimestamp: 'yesterday' } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      { metadata: { creationTimestamp: 5 } },
      `${cannot} number into Go struct field ObjectMeta.metadata.creationTimestamp of type string`,
    ],
  ])('case %#', (input, message) => {
    const findings = new Findings();
    expect(() => pod.normalize(input, findings)).toThrow(expect.objectContaining({ message }));
    expect(findings.texts).toEqual([]);
  });

  it('reports the first one in the document, but errors of self-decoding types take precedence', () => {
    const wrongNumber = { seconds: 'x', hostNetwork: 'y' };
    expect(() => pod.normalize({ spec: wrongNumber, metadata: { name: 1 } }, new Findings())).toThrow('spec.seconds');
    const wrongTime = { creationTimestamp: 'x' };
    expect(() => pod.normalize({ spec: wrongNumber, metadata: wrongTime }, new Findings())).toThrow('parsing time');
  });
});

describe('findings', () => {
  const textsOf = (input: unknown): readonly string[] => {
    const findings = new Findings();
    pod.normalize(input, findings);
    return findings.texts;
  };

  it('reports unknown fields in document order', () => {
    const input = {
      bogus: 1,
      spec: {
        parts: { 'a.b': { x: 1 } },
        containers: [{}, { foo: 1, ports: [{ bar: { nested: 1 } }] }],
        raw: { anything: { goes: 1 } },
        Seconds: 5,
      },
      metadata: { foo: 1 },
      kind: 'Pod',
      apiVersion: 'v1',
    };
    expect(textsOf(input)).toEqual([
      'unknown field "bogus"',
      'unknown field "spec.parts.a.b.x"',
      'unknown field "spec.containers[1].foo"',
      'unknown field "spec.containers[1].ports[0].bar"',
      'unknown field "spec.Seconds"',
      'unknown field "metadata.foo"',
    ]);
  });

  it('drops unknown fields', () => {
    expect(pod.normalize({ spec: { foo: 1 } }, new Findings()).spec).toEqual({});
  });

  it('are limited to a hundred', () => {
    expect(textsOf(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1])))).toHaveLength(100);
  });

  it('are empty for valid objects', () => {
    expect(textsOf({ kind: 'Pod', metadata: { name: 'a' }, spec: { raw: { a: 1 } } })).toEqual([]);
  });
});

describe('details of the JSON text', () => {
  it('reports duplicate fields, except inside values that are not decoded', () => {
    const labels = { a: '1' };
    const input = { bogus: { x: 1 }, metadata: { labels }, spec: { raw: { x: 1 } } };
    const duplicateKeys = new Map<object, Set<string>>([
      [labels, new Set(['a'])],
      [input, new Set(['spec'])],
      [input.bogus, new Set(['x'])],
      [input.spec.raw, new Set(['x'])],
    ]);
    const findings = new Findings({ duplicateKeys, superseded: new Map(), numberTexts: new Map() });
    pod.normalize(input, findings);
    expect(findings.texts).toEqual([
      'unknown field "bogus"',
      'duplicate field "metadata.labels.a"',
      'duplicate field "spec"',
    ]);
  });

  it('refuses an integer with a fraction', () => {
    const input = { spec: { seconds: 1, weight: 1 } };
    const numberTexts = new Map([[input.spec, new Map(Object.entries({ seconds: '1.0', weight: '1.0' }))]]);
    expect(() =>
      pod.normalize(input, new Findings({ duplicateKeys: new Map(), superseded: new Map(), numberTexts })),
    ).toThrow(`${cannot} number 1.0 into Go struct field PodSpec.spec.seconds of type int64`);
  });

  it('keeps the exponent of a quantity', () => {
    const input = { spec: { divisor: 1000 } };
    const numberTexts = new Map([[input.spec, new Map([['divisor', '1e3']])]]);
    const findings = new Findings({ duplicateKeys: new Map(), superseded: new Map(), numberTexts });
    expect(pod.normalize(input, findings).spec).toEqual({ divisor: '1e3' });
  });
});
