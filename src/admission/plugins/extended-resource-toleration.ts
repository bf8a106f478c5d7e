import { isDeepStrictEqual } from 'node:util';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { containerGroups, isExtendedResource, type PodSpec } from './pod-resources.ts';
import type { Toleration } from './tolerations.ts';

/** Lets pods tolerate the taints of nodes that are reserved for the extended resources which they request. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
  mutate({ object }) {
    const spec = (object.spec ?? {}) as PodSpec & { readonly tolerations?: Toleration[] | null };
    const requested = containerGroups(spec).flatMap(({ containers }) =>
      containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {}).filter(isExtendedResource)),
    );
    if (requested.length === 0) return;
    const tolerations = [...new Set(requested)]
      .sort()
      .reduce(withToleration, (spec.tolerations ?? []) as readonly Toleration[]);
    object.spec = { ...spec, tolerations };
  },
};

/** Adds the toleration, or replaces the one for the same taint. */
function withToleration(tolerations: readonly Toleration[], key: string): readonly Toleration[] {
  const wanted = { key, operator: 'Exists', effect: 'NoSchedule' };
  if (tolerations.some((present) => isDeepStrictEqual({ ...present }, wanted))) return tolerations;
  const isSame = (present: Toleration): boolean =>
    present.key === key &&
    present.effect === wanted.effect &&
    present.operator === wanted.operator &&
    (present.value ?? '') === '';
  const index = tolerations.findIndex(isSame);
  return index < 0 ? [...tolerations, wanted] : tolerations.with(index, wanted);
}
