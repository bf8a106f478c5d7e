/** A small metrics server: the API that `kubectl top` reads, for any source of measurements of nodes and pods. */
import {
  defineResource,
  type ExtensionOptions,
  type ExtensionServer,
  serveExtension,
} from '../../src/extension-server/index.ts';

interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

/** The latest measurements. */
export interface Measurements {
  readonly nodes: Readonly<Record<string, Usage>>;
  /** Keyed by namespace, pod and container. */
  readonly pods: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Usage>>>>>>;
}

interface NodeMetrics {
  readonly metadata: { readonly name: string };
  readonly timestamp: string;
  readonly window: string;
  readonly usage: Usage;
}

interface PodMetrics {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

const quantity = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const usage = { type: 'object', description: 'What is used at present.', additionalProperties: quantity };
const sample = {
  timestamp: { type: 'string', format: 'date-time', description: 'The end of the interval.' },
  window: { type: 'string', description: 'The length of the interval.' },
};

export function serveMetrics(
  measure: () => Measurements,
  options: Omit<ExtensionOptions, 'group' | 'version' | 'resources'>,
): Promise<ExtensionServer> {
  const now = () => ({ timestamp: new Date().toISOString(), window: '30s' });
  const nodes = defineResource<NodeMetrics>({
    kind: 'NodeMetrics',
    plural: 'nodes',
    namespaced: false,
    schema: { type: 'object', description: 'What a node uses.', properties: { ...sample, usage } },
    columns: [
      { name: 'CPU', type: 'string', jsonPath: '.usage.cpu' },
      { name: 'Memory', type: 'string', jsonPath: '.usage.memory' },
    ],
    backend: {
      list: () =>
        Object.entries(measure().nodes).map(([name, used]) => ({ metadata: { name }, ...now(), usage: used })),
    },
  });
  const containers = {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, usage } },
  };
  const pods = defineResource<PodMetrics>({
    kind: 'PodMetrics',
    plural: 'pods',
    schema: { type: 'object', description: 'What a pod uses.', properties: { ...sample, containers } },
    backend: {
      list: ({ namespace }) =>
        Object.entries(measure().pods)
          .filter(([name]) => namespace === '' || name === namespace)
          .flatMap(([inNamespace, measured]) =>
            Object.entries(measured).map(([name, used]) => ({
              metadata: { name, namespace: inNamespace },
              ...now(),
              containers: Object.entries(used).map(([container, ofContainer]) => ({
                name: container,
                usage: ofContainer,
              })),
            })),
          ),
    },
  });
  return serveExtension({ ...options, group: 'metrics.k8s.io', version: 'v1beta1', resources: [nodes, pods] });
}
