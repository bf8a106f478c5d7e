import type { ResourceObject } from '../../../meta/object.ts';

interface PodSpec {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds?: number;
}

/** Time to end is for what runs: a pod on no node, or one whose containers have ended, goes at once. */
export function podGracePeriod(pod: ResourceObject, requested: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = (pod.spec ?? {}) as PodSpec;
  const { phase } = (pod.status ?? {}) as { readonly phase?: string };
  if (nodeName === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = requested ?? terminationGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}
