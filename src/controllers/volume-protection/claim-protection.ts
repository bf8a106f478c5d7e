import type { ResourceObject } from '../../meta/object.ts';
import type { Controller } from '../controller.ts';
import { protectByPods } from './protection-by-pods.ts';

const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const finalizer = 'kubernetes.io/pvc-protection';

interface Pod extends ResourceObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly {
      readonly name: string;
      readonly persistentVolumeClaim?: { readonly claimName?: string };
      readonly ephemeral?: object;
    }[];
  };
  readonly status?: { readonly phase?: string };
}

/** Removes the protection finalizer of deleted claims when no pod on a node uses them. */
export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],
  run: (tools, signal) => protectByPods(tools, { type: claims, finalizer, usedBy: claimsOf }, signal),
};

/**
 * The claims that a pod uses. A pod without a node does not count: it is not scheduled while its claims are being
 * deleted.
 */
function claimsOf({ metadata, spec, status }: Pod): string[] {
  if (!spec?.nodeName) return [];
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName) return [persistentVolumeClaim.claimName];
    return ephemeral !== undefined && !hasEnded ? [`${metadata.name}-${name}`] : [];
  });
}
