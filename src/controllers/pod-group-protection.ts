import { untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';
import { protectByPods } from './volume-protection/protection-by-pods.ts';

const podGroups = { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'podgroups' };

interface Pod extends ResourceObject {
  readonly spec?: { readonly schedulingGroup?: { readonly podGroupName?: string } };
  readonly status?: { readonly phase?: string };
}

/** Removes the protection finalizer of deleted pod groups when all of their pods have ended. */
export const podGroupProtectionController: Controller = {
  name: 'podgroup-protection-controller',
  async run(tools, signal) {
    const { resources } = await tools.discovery.read();
    const isServed = resources.some(({ group, resource }) => group === podGroups.group && resource === 'podgroups');
    // The alpha type is served on request only.
    if (!isServed) return untilAborted(signal);
    const finalizer = 'scheduling.k8s.io/podgroup-protection';
    await protectByPods<Pod>(tools, { type: podGroups, finalizer, usedBy: groupOf }, signal);
  },
};

function groupOf({ spec, status }: Pod): string[] {
  const name = spec?.schedulingGroup?.podGroupName;
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return name === undefined || hasEnded ? [] : [name];
}
