import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { mergedMap } from './merged-map.ts';
import { nodeNameOf, nodes } from './node-of-pod.ts';

const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Copies the zone and region of a node to the pods that are bound to it, so that they can read them. The labels of a
 * binding become those of its pod.
 */
export const podTopologyLabels: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  rules: [{ operations: ['CREATE'], resources: ['/pods', '/pods/binding'] }],
  mutate({ object, subresource }, objects): MaybePromise<void> {
    const name = subresource === 'binding' ? boundTo(object) : nodeNameOf(object);
    if (!name) return;
    return mapMaybe(objects.get(nodes, { namespace: '', name }), (node) => {
      const labels = node?.metadata.labels ?? {};
      const found = copied.filter((key) => labels[key] !== undefined);
      if (found.length === 0) return;
      const added = Object.fromEntries(found.map((key) => [key, labels[key]!]));
      object.metadata.labels = mergedMap(object.metadata.labels, added);
    });
  },
};

function boundTo({ target }: ResourceObject): string | undefined {
  const { kind, name } = (target ?? {}) as { kind?: string; name?: string };
  return kind === 'Node' ? name : undefined;
}
