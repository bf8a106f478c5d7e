import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { type GraphKind, NodeGraph, type UsedResource } from './node-graph.ts';

const pod = (name: string, nodeName: string, more: object = {}): ResourceObject => ({
  metadata: { name, namespace: 'a' },
  spec: { nodeName, ...more },
});
const claiming = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const volume = (name: string, claim: string | undefined, source: object = {}): ResourceObject => ({
  metadata: { name },
  spec: { ...(claim !== undefined && { claimRef: { namespace: 'a', name: claim } }), ...source },
});

function graphOf(...objects: [GraphKind, ResourceObject][]): NodeGraph {
  const graph = new NodeGraph();
  for (const [kind, object] of objects) graph.put(kind, object);
  return graph;
}

function uses(graph: NodeGraph, node: string, path: string): boolean {
  const [resource, ...rest] = path.split('/');
  const [namespace, name] = rest.length === 2 ? rest : ['', rest[0]!];
  return graph.isUsed(node, resource as UsedResource, { namespace: namespace!, name: name! });
}

describe('a pod', () => {
  const container = (kind: 'secret' | 'configMap', name: string) => ({
    name: 'c',
    envFrom: [{ [`${kind}Ref`]: { name: `${name}-all` } }, { prefix: 'x' }],
    env: [
      { name: 'E', valueFrom: { [`${kind}KeyRef`]: { name: `${name}-one`, key: 'k' } } },
      { name: 'F', value: 'v' },
    ],
  });
  const everything = pod('p', 'n1', {
    serviceAccountName: 'bot',
    imagePullSecrets: [{ name: 'pull' }, {}],
    initContainers: [container('secret', 'init')],
    containers: [container('secret', 'main'), container('configMap', 'main')],
    ephemeralContainers: [container('configMap', 'late')],
    resourceClaims: [
      { name: 'mine', resourceClaimName: 'ready' },
      { name: 'made', resourceClaimTemplateName: 't' },
      { name: 'not-yet', resourceClaimTemplateName: 't' },
    ],
    volumes: [
      { name: 'v1', secret: { secretName: 's-volume' } },
      { name: 'v2', configMap: { name: 'c-volume' } },
      {
        name: 'v3',
        projected: { sources: [{ secret: { name: 's-projected' } }, { configMap: { name: 'c-projected' } }] },
      },
      { name: 'v4', projected: { sources: null } },
      { name: 'v5', azureFile: { secretName: 's-azure' } },
      { name: 'v6', csi: { driver: 'd', nodePublishSecretRef: { name: 's-csi' } } },
      { name: 'v7', rbd: { secretRef: { name: 's-rbd' } } },
      { name: 'v8', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'v9', ephemeral: { volumeClaimTemplate: {} } },
    ],
  });
  everything.status = {
    resourceClaimStatuses: [{ name: 'made', resourceClaimName: 'p-made-x' }, { name: 'not-yet' }],
    extendedResourceClaimStatus: { resourceClaimName: 'extended' },
  };

  it.each([
    'pods/a/p',
    'serviceaccounts/a/bot',
    ...['pull', 'init-all', 'init-one', 'main-all', 'main-one'].map((name) => `secrets/a/${name}`),
    ...['s-volume', 's-projected', 's-azure', 's-csi', 's-rbd'].map((name) => `secrets/a/${name}`),
    ...['main-all', 'main-one', 'late-all', 'late-one', 'c-volume', 'c-projected'].map(
      (name) => `configmaps/a/${name}`,
    ),
    ...['claim', 'p-v9'].map((name) => `persistentvolumeclaims/a/${name}`),
    ...['ready', 'p-made-x', 'extended'].map((name) => `resourceclaims/a/${name}`),
  ])('lets its node use %s', (path) => {
    const graph = graphOf(['Pod', everything]);
    expect(uses(graph, 'n1', path)).toBe(true);
    expect(uses(graph, 'n2', path)).toBe(false);
    expect(uses(graph, 'n1', path.replace('/a/', '/b/'))).toBe(false);
    graph.remove('Pod', everything);
    expect(uses(graph, 'n1', path)).toBe(false);
  });

  it.each(['resourceclaims/a/not-yet', 'secrets/a/c-volume', 'persistentvolumeclaims/a/v9', 'secrets/a/'])(
    'does not let its node use %s',
    (path) => {
      expect(uses(graphOf(['Pod', everything]), 'n1', path)).toBe(false);
    },
  );

  it('makes nothing else accessible if it is a mirror pod', () => {
    const mirror = {
      ...everything,
      metadata: { ...everything.metadata, annotations: { 'kubernetes.io/config.mirror': '' } },
    };
    const graph = graphOf(['Pod', mirror]);
    expect(uses(graph, 'n1', 'pods/a/p')).toBe(true);
    expect(uses(graph, 'n1', 'secrets/a/pull')).toBe(false);
    expect(uses(graph, 'n1', 'serviceaccounts/a/bot')).toBe(false);
  });

  it('makes nothing accessible before it is scheduled', () => {
    const graph = graphOf(['Pod', pod('p', '', claiming('c'))]);
    expect(uses(graph, '', 'pods/a/p')).toBe(false);
    graph.put('Pod', pod('p', 'n1', claiming('c')));
    expect(uses(graph, 'n1', 'persistentvolumeclaims/a/c')).toBe(true);
  });

  it('keeps objects accessible that another pod on the node uses', () => {
    const graph = graphOf(['Pod', pod('p', 'n1', claiming('c'))], ['Pod', pod('q', 'n1', claiming('c'))]);
    graph.put('PersistentVolume', volume('v', 'c'));
    graph.remove('Pod', pod('p', 'n1'));
    expect(uses(graph, 'n1', 'persistentvolumeclaims/a/c')).toBe(true);
    expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(true);
    graph.remove('Pod', pod('q', 'n1'));
    expect(uses(graph, 'n1', 'persistentvolumeclaims/a/c')).toBe(false);
    expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(false);
  });

  it('moves all relations when it is recreated on another node', () => {
    const graph = graphOf(['PersistentVolume', volume('v', 'c')], ['Pod', pod('p', 'n1', claiming('c'))]);
    graph.put('Pod', pod('p', 'n2', claiming('c')));
    expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(false);
    expect(uses(graph, 'n2', 'persistentvolumes/v')).toBe(true);
  });
});

describe('a volume', () => {
  const secretRef = { name: 's', namespace: 'x' };
  it.each<[string, object, string[], string[]]>([
    ['azureFile', { azureFile: { secretName: 's' } }, ['a/s'], []],
    ['azureFile elsewhere', { azureFile: { secretName: 's', secretNamespace: 'x' } }, ['x/s'], ['a/s']],
    ['cephfs', { cephfs: { secretRef: { name: 's' } } }, ['a/s'], []],
    ['rbd elsewhere', { rbd: { secretRef } }, ['x/s'], ['a/s']],
    ['cinder', { cinder: { secretRef } }, ['x/s'], []],
    ['cinder nowhere', { cinder: { secretRef: { name: 's' } } }, [], ['a/s']],
    [
      'csi',
      { csi: { nodePublishSecretRef: secretRef, nodeStageSecretRef: { name: 't', namespace: 'x' } } },
      ['x/s', 'x/t'],
      [],
    ],
    ['csi, for others', { csi: { controllerPublishSecretRef: secretRef } }, [], ['x/s']],
  ])('is accessible through its claim: %s', (_, source, visible, hidden) => {
    const object = volume('v', 'c', source);
    const holds = (graph: NodeGraph) => {
      expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(true);
      for (const name of visible) expect(uses(graph, 'n1', `secrets/${name}`), name).toBe(true);
      for (const name of hidden) expect(uses(graph, 'n1', `secrets/${name}`), name).toBe(false);
    };
    const bound: [GraphKind, ResourceObject] = ['Pod', pod('p', 'n1', claiming('c'))];
    const graph = graphOf(['PersistentVolume', object], bound);
    holds(graph);
    holds(graphOf(bound, ['PersistentVolume', object]));
    graph.remove('PersistentVolume', object);
    for (const name of ['persistentvolumes/v', ...visible.map((secret) => `secrets/${secret}`)]) {
      expect(uses(graph, 'n1', name)).toBe(false);
    }
  });

  it('is accessible to the users of another claim when it is bound to that claim', () => {
    const graph = graphOf(['Pod', pod('p', 'n1', claiming('c'))], ['Pod', pod('q', 'n2', claiming('d'))]);
    graph.put('PersistentVolume', volume('v', 'c', { csi: { nodeStageSecretRef: { name: 's', namespace: 'x' } } }));
    graph.put('PersistentVolume', volume('v', 'd'));
    expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(false);
    expect(uses(graph, 'n1', 'secrets/x/s')).toBe(false);
    expect(uses(graph, 'n2', 'persistentvolumes/v')).toBe(true);
    graph.put('PersistentVolume', volume('v', undefined));
    expect(uses(graph, 'n2', 'persistentvolumes/v')).toBe(false);
  });
});

it.each<[GraphKind, string]>([
  ['VolumeAttachment', 'volumeattachments/x'],
  ['ResourceSlice', 'resourceslices/x'],
])('a %s belongs to the node that it names', (kind, path) => {
  const graph = graphOf([kind, { metadata: { name: 'x' }, spec: { nodeName: 'n1' } }]);
  expect(uses(graph, 'n1', path)).toBe(true);
  graph.put(kind, { metadata: { name: 'x' }, spec: { nodeName: 'n2' } });
  expect(uses(graph, 'n1', path)).toBe(false);
  expect(uses(graph, 'n2', path)).toBe(true);
  graph.put(kind, { metadata: { name: 'x' }, spec: {} });
  expect(uses(graph, 'n2', path)).toBe(false);
});

it('resets one kind and keeps the others', () => {
  const graph = graphOf(['Pod', pod('p', 'n1', claiming('c'))], ['PersistentVolume', volume('v', 'c')]);
  graph.put('ResourceSlice', { metadata: { name: 'x' }, spec: { nodeName: 'n1' } });
  graph.reset('PersistentVolume');
  expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(false);
  graph.put('PersistentVolume', volume('v', 'c'));
  graph.reset('Pod');
  expect(uses(graph, 'n1', 'persistentvolumes/v')).toBe(false);
  expect(uses(graph, 'n1', 'pods/a/p')).toBe(false);
  expect(uses(graph, 'n1', 'resourceslices/x')).toBe(true);
});

it('does not depend on the order of changes', () => {
  // Every step changes one object of a small set. Afterwards the graph must equal a newly built one.
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const graph = new NodeGraph();
  const world = new Map<string, [GraphKind, ResourceObject]>();
  const secret = (number: number) => ({ csi: { nodeStageSecretRef: { name: `s${number}`, namespace: 'a' } } });
  for (let step = 0; step < 400; step++) {
    const name = `o${random(4)}`;
    const [kind, object]: [GraphKind, ResourceObject] =
      random(2) === 0
        ? [
            'Pod',
            pod(name, ['', 'n1', 'n2'][random(3)]!, {
              ...claiming(`c${random(3)}`),
              imagePullSecrets: [{ name: `s${random(3)}` }],
            }),
          ]
        : ['PersistentVolume', volume(name, random(4) === 0 ? undefined : `c${random(3)}`, secret(random(3)))];
    const key = `${kind}/${name}`;
    const known = world.get(key);
    if (random(3) === 0 && known !== undefined) {
      graph.remove(...known);
      world.delete(key);
    } else {
      graph.put(kind, object);
      world.set(key, [kind, object]);
    }
    const fresh = graphOf(...world.values());
    for (const node of ['n1', 'n2']) {
      for (let number = 0; number < 4; number++) {
        const paths = [
          `pods/a/o${number}`,
          `persistentvolumes/o${number}`,
          `persistentvolumeclaims/a/c${number}`,
          `secrets/a/s${number}`,
        ];
        for (const path of paths) expect(uses(graph, node, path), `${step} ${path}`).toBe(uses(fresh, node, path));
      }
    }
  }
});
