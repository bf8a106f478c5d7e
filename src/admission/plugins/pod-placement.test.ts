import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';

const pods = testTarget('/pods', 'Pod');

/** One object for every name. */
const finds = (object: Partial<ResourceObject>): ObjectReader => ({
  get: (_type, { name }) => ({ ...object, metadata: { ...object.metadata, name } }),
  list: () => [],
});

/** The spec after admission, or the error. */
async function admitted(plugin: AdmissionPlugin, spec: object, objects = finds({})): Promise<unknown> {
  const request = testRequest(pods, { name: 'p', object: { metadata: { name: 'p' }, spec } });
  try {
    const object = plugin.mutate === undefined ? request.object : await mutateWith(plugin, request, objects);
    await plugin.validate?.({ ...request, object }, objects);
    return object.spec;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('PodNodeSelector', () => {
  const annotated = (selector: string): ObjectReader =>
    finds({ metadata: { annotations: { 'scheduler.alpha.kubernetes.io/node-selector': selector } } });
  const conflict = 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector';

  it.each<[configuration: Record<string, string>, namespace: ObjectReader, spec: object, expected: unknown]>([
    [{}, finds({}), {}, {}],
    [{}, annotated('a=b, c=d'), { nodeSelector: { b: 'c' } }, { nodeSelector: { a: 'b', b: 'c', c: 'd' } }],
    [{ clusterDefaultNodeSelector: 'a=b' }, finds({}), {}, { nodeSelector: { a: 'b' } }],
    [{ clusterDefaultNodeSelector: 'a=b' }, annotated(''), {}, {}],
    [{}, annotated('a=b'), { nodeSelector: { a: 'c' } }, conflict],
    [{ ns: 'a=b' }, finds({}), { nodeSelector: { a: 'b' } }, { nodeSelector: { a: 'b' } }],
    [
      { ns: 'a=b' },
      finds({}),
      { nodeSelector: { x: 'y' } },
      'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    ],
    [{}, annotated('a'), {}, 'invalid selector: [a]'],
    [{}, annotated('a=b=c'), {}, 'invalid selector: [a b c]'],
    [{}, { get: () => undefined, list: () => [] }, {}, 'Internal error occurred: namespace ns does not exist'],
  ])('applies the configuration %j', async (configuration, namespace, spec, expected) => {
    expect(await admitted(podNodeSelector(configuration), spec, namespace)).toEqual(expected);
  });
});

describe('PodTolerationRestriction', () => {
  const key = (name: string): string => `scheduler.alpha.kubernetes.io/${name}`;
  const namespace = (annotations: Record<string, string>): ObjectReader =>
    finds({
      metadata: {
        annotations: Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text])),
      },
    });
  const wide = { operator: 'Exists' };
  const narrow = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
  const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
  const conflict =
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';

  it.each<[what: string, namespace: ObjectReader, tolerations: object[], expected: unknown]>([
    ['nothing', namespace({}), [], {}],
    ['a default', namespace({ defaultTolerations: JSON.stringify([narrow]) }), [], { tolerations: [narrow] }],
    ['the wider one', namespace({ defaultTolerations: JSON.stringify([narrow]) }), [wide], { tolerations: [wide] }],
    [
      'an equal one once',
      namespace({ defaultTolerations: JSON.stringify([narrow]) }),
      [narrow],
      { tolerations: [narrow] },
    ],
    [
      'an allowed one',
      namespace({ tolerationsWhitelist: JSON.stringify([wide]) }),
      [narrow],
      { tolerations: [narrow] },
    ],
    ['a wider one than allowed', namespace({ tolerationsWhitelist: JSON.stringify([narrow]) }), [wide], conflict],
    ['any if the list is empty', namespace({ tolerationsWhitelist: '[]' }), [wide], { tolerations: [wide] }],
    [
      'a longer time than allowed',
      namespace({
        tolerationsWhitelist: '[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}]',
      }),
      [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 6 }],
      conflict,
    ],
  ])('applies the annotations of the namespace: %s', async (_what, objects, tolerations, expected) => {
    const plugin = podTolerationRestriction({ defaults: [], allowed: [] });
    const spec = tolerations.length === 0 ? {} : { tolerations };
    expect(await admitted(plugin, spec, objects)).toEqual(expected);
  });

  it('uses the configuration for namespaces without annotations', async () => {
    const plugin = podTolerationRestriction({ defaults: [narrow], allowed: [narrow, pressure] });
    expect(await admitted(plugin, {})).toEqual({ tolerations: [narrow] });
    expect(await admitted(plugin, { tolerations: [wide] })).toBe(conflict);
    expect(await admitted(plugin, { tolerations: [wide] }, namespace({ tolerationsWhitelist: '' }))).toEqual({
      tolerations: [wide],
    });
  });

  it('lets pods with requests stay when memory is short', async () => {
    const plugin = podTolerationRestriction({ defaults: [], allowed: [] });
    const containers = [{ name: 'c', resources: { requests: { memory: '1Mi' } } }];
    expect(await admitted(plugin, { containers })).toEqual({ containers, tolerations: [pressure] });
  });

  it.each(['{', '{}', '[1]', '[{"key":1}]', '[{"tolerationSeconds":1.5}]'])(
    'refuses the annotation %s',
    async (text) => {
      const plugin = podTolerationRestriction({ defaults: [], allowed: [] });
      const refusal = await admitted(plugin, {}, namespace({ defaultTolerations: text }));
      expect(refusal).toMatch(/^annotation scheduler.alpha.kubernetes.io\/defaultTolerations of namespace ns: /);
    },
  );
});

it.each<[requests: Record<string, string>, tolerations: object[], expected: unknown]>([
  [{ cpu: '1', 'kubernetes.io/batch-cpu': '1' }, [], undefined],
  [
    { 'b.example/x': '1', 'a.example/x': '1' },
    [],
    ['a.example/x', 'b.example/x'].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
  ],
  [
    { 'a.example/x': '1' },
    [{ key: 'a.example/x', operator: 'Exists', effect: 'NoSchedule' }],
    [{ key: 'a.example/x', operator: 'Exists', effect: 'NoSchedule' }],
  ],
])('ExtendedResourceToleration: requests of %j', async (requests, given, expected) => {
  const spec = {
    containers: [{ name: 'c', resources: { requests } }],
    ...(given.length > 0 && { tolerations: given }),
  };
  const admittedSpec = (await admitted(extendedResourceToleration, spec)) as { tolerations?: object[] };
  expect(admittedSpec.tolerations).toEqual(expected);
});

it.each<[topologyKey: string, isAllowed: boolean]>([
  ['kubernetes.io/hostname', true],
  ['topology.kubernetes.io/zone', false],
])('LimitPodHardAntiAffinityTopology: %s', async (topologyKey, isAllowed) => {
  const terms = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] };
  const spec = { affinity: { podAntiAffinity: terms } };
  const refusal = `pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key kubernetes.io/hostname is allowed`;
  expect(await admitted(limitPodHardAntiAffinityTopology, spec)).toEqual(isAllowed ? spec : refusal);
});

describe('PodTopologyLabels', () => {
  const node = finds({
    metadata: { labels: { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'o' } },
  });
  const labels = { 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': 'z' };

  it.each<[path: string, object: object, expected: object | undefined]>([
    ['/pods', { spec: {} }, undefined],
    ['/pods', { spec: { nodeName: 'n' } }, labels],
    ['/pods/binding', { target: { kind: 'Node', name: 'n' } }, labels],
    ['/pods/binding', { target: { name: 'n' } }, undefined],
  ])('labels %s with %j', async (path, object, expected) => {
    const request = testRequest(testTarget(path), { object: { metadata: {}, ...object } });
    expect((await mutateWith(podTopologyLabels, request, node)).metadata.labels).toEqual(expected);
  });

  it('replaces what the pod says of itself, and keeps the rest', async () => {
    const metadata = { labels: { a: 'b', 'topology.kubernetes.io/zone': 'mine' } };
    const request = testRequest(pods, { object: { metadata, spec: { nodeName: 'n' } } });
    expect((await mutateWith(podTopologyLabels, request, node)).metadata.labels).toEqual({ a: 'b', ...labels });
  });
});
