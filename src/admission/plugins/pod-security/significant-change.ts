import type { ResourceObject } from '../../../meta/object.ts';
import type { SecuredContainer, SecuredPodSpec } from './secured-pod.ts';

const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

type Containers = readonly SecuredContainer[] | null | undefined;

/** Most fields of a pod are immutable. A change of the others matters only if it changes what runs. */
export function isSignificantChange(object: ResourceObject, oldObject: ResourceObject): boolean {
  const after = (object.spec ?? {}) as SecuredPodSpec;
  const before = (oldObject.spec ?? {}) as SecuredPodSpec;
  const differs = (annotation: string): boolean =>
    object.metadata.annotations?.[annotation] !== oldObject.metadata.annotations?.[annotation];
  const changed = (container: SecuredContainer, old: SecuredContainer | undefined): boolean =>
    container.image !== old?.image || differs(`${containerAnnotation}${container.name}`);
  const anyChanged = (now: Containers, then: Containers): boolean =>
    (now?.length ?? 0) !== (then?.length ?? 0) || !!now?.some((container, index) => changed(container, then?.[index]));
  if (differs(podAnnotation) || anyChanged(after.containers, before.containers)) return true;
  if (anyChanged(after.initContainers, before.initContainers)) return true;
  return (after.ephemeralContainers ?? []).some((container) => {
    const old = before.ephemeralContainers?.find(({ name }) => name === container.name);
    return old === undefined || changed(container, old);
  });
}
