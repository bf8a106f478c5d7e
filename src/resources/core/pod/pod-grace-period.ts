import type { ResourceObject } from '../../../meta/object.ts';

interface PodSpec {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds?: number;
}

/** A pod that has no node, or whose containers have ended, is deleted without a grace period. */
export function podGracePeriod(pod: ResourceObject, requested: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = (pod.spec ?? {}) as PodSpec;
  const { phase } = (pod.status ?? {}) as { readonly phase?: string };
  if (nodeName === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = requested ?? terminationGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}
