import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { cidrWarnings } from '../validation/addresses.ts';
import type { NodeSpec, NodeStatus } from './node-types.ts';
import { validateNode, validateNodeChange } from './node-validation.ts';
import { roundResources } from './resource-list.ts';

export const nodeRules: Partial<ResourceRules> = {
  keepsStatus: true,
  setDefaults({ spec, status }) {
    if (spec) syncPodCidrs(spec as NodeSpec);
    if (status) setStatusDefaults(status as NodeStatus);
  },
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  validate: validateNode,
  validateUpdate: validateNodeChange,
  validateStatus: validateNodeChange,
  prepareCreate(node) {
    dropField(node, 'spec', 'configSource');
    dropField(node, 'status', 'config');
  },
  prepareUpdate(next, oldObject) {
    if ((oldObject.spec as NodeSpec | undefined)?.configSource === undefined) dropField(next, 'spec', 'configSource');
  },
  prepareStatusUpdate(next, oldObject) {
    if ((oldObject.status as NodeStatus | undefined)?.config === undefined) dropField(next, 'status', 'config');
  },
  warnings({ spec }) {
    const { configSource, externalID, podCIDRs } = (spec ?? {}) as NodeSpec;
    const warnings: string[] = [];
    if (configSource !== undefined) warnings.push('spec.configSource: the feature is removed');
    if (externalID) warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
    for (const [index, text] of (podCIDRs ?? []).entries()) {
      warnings.push(...cidrWarnings(`spec.podCIDRs[${index}]`, text));
    }
    return warnings;
  },
};

/** Keeps `podCIDR` equal to the first of `podCIDRs`. If they differ, `podCIDR` wins. */
function syncPodCidrs(spec: NodeSpec): void {
  const { podCIDR, podCIDRs } = spec;
  if (podCIDR && podCIDR !== podCIDRs?.[0]) spec.podCIDRs = [podCIDR];
  else if (!podCIDR && podCIDRs?.[0]) spec.podCIDR = podCIDRs[0];
}

/** Allocatable resources default to the capacity. */
function setStatusDefaults(status: NodeStatus): void {
  if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
  roundResources(status.capacity);
  roundResources(status.allocatable);
}

/** Drops the fields of dynamic kubelet configuration, a removed feature. Updates keep existing values. */
function dropField(node: ResourceObject, section: 'spec' | 'status', name: string): void {
  const value = node[section] as Record<string, unknown> | undefined;
  if (value?.[name] !== undefined) node[section] = { ...value, [name]: undefined };
}
