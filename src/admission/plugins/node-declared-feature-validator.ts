import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../meta/go-quote.ts';
import { mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { changesBoundPod, nodeOfPod } from './node-of-pod.ts';
import type { Container, PodSpec } from './pod-resources.ts';

interface FeatureUse {
  readonly feature: string;
  readonly isUsed: (pod: ResourceObject, oldPod: ResourceObject) => boolean;
}

/** The features that a node must declare for some updates of its pods. */
const uses: readonly FeatureUse[] = [
  { feature: 'GuaranteedQoSPodCPUResize', isUsed: resizesGuaranteedCpu },
  {
    feature: 'InPlacePodLevelResourcesVerticalScaling',
    isUsed: (pod, oldPod) => !isDeepStrictEqual(plain(specOf(pod).resources), plain(specOf(oldPod).resources)),
  },
];

/** Rejects updates of running pods that need a feature which their node does not declare. */
export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  rules: [{ operations: ['UPDATE'], resources: ['/pods', '/pods/resize'] }],
  validate(request, objects) {
    const { object, oldObject } = request;
    if (oldObject === undefined || !changesBoundPod(request)) return;
    const needed = uses.filter(({ isUsed }) => isUsed(object, oldObject)).map(({ feature }) => feature);
    if (needed.length === 0) return;
    return mapMaybe(nodeOfPod(request, objects), ({ metadata: { name = '' }, status }) => {
      const declared = ((status ?? {}) as { declaredFeatures?: string[] | null }).declaredFeatures ?? [];
      const missing = needed.filter((feature) => !declared.includes(feature));
      if (missing.length === 0) return;
      const where = `which are not available on node ${goQuote(name)}`;
      throw admissionForbidden(request, `pod update requires features ${missing.join(', ')} ${where}`);
    });
  },
};

function resizesGuaranteedCpu(pod: ResourceObject, oldPod: ResourceObject): boolean {
  if ((oldPod.status as { qosClass?: string } | undefined)?.qosClass !== 'Guaranteed') return false;
  const next = specOf(pod).containers ?? [];
  return (specOf(oldPod).containers ?? []).some((container, index) => {
    const [before, after] = [container, next[index]].map(cpuOf);
    return compareQuantities(before!, after!) !== 0;
  });
}

function cpuOf(container: Container | undefined): ReturnType<typeof parseQuantity> {
  return parseQuantity(container?.resources?.requests?.cpu ?? '0');
}

function specOf({ spec }: ResourceObject): PodSpec {
  return (spec ?? {}) as PodSpec;
}

/** Returns a copy without undefined fields and without prototypes. */
function plain(value: unknown): unknown {
  return value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value));
}
