import { goQuote } from '../../meta/go-quote.ts';
import { mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { scaledValue } from '../../meta/quantity.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { changesBoundPod, nodeOfPod } from './node-of-pod.ts';
import { addedResources, type PodSpec, podResources, type Resources } from './pod-resources.ts';

const operatingSystem = 'kubernetes.io/os';

/** The resources that can be resized, with the power of ten by which they are compared. */
const resized = [
  ['cpu', 3],
  ['memory', 0],
] as const;

/** Rejects the resize of a running pod that its node cannot provide. */
export const podResizeValidator: AdmissionPlugin = {
  name: 'PodResizeValidator',
  rules: [{ operations: ['UPDATE'], resources: ['/pods/resize'] }],
  validate(request, objects) {
    if (!changesBoundPod(request)) return;
    return mapMaybe(nodeOfPod(request, objects), (node) => {
      checkAllocatable(request, node);
      checkOperatingSystem(request, node);
    });
  },
};

function checkAllocatable(request: AdmissionRequest, { status }: ResourceObject): void {
  const spec = (request.object.spec ?? {}) as PodSpec & { readonly overhead?: Resources | null };
  const requests = addedResources(podResources(spec).requests, spec.overhead ?? {});
  const { allocatable } = (status ?? {}) as { allocatable?: Resources | null };
  const missing = resized.flatMap(([name, power]) => {
    const [requested, available] = [requests[name], allocatable?.[name]].map((amount = '0') =>
      scaledValue(amount, power),
    );
    return requested! > available! ? [`${name}, requested: ${requested}, allocatable: ${available}`] : [];
  });
  if (missing.length === 0) return;
  throw admissionForbidden(request, `Node didn't have enough allocatable resources: ${missing.join('; ')}`);
}

function checkOperatingSystem(request: AdmissionRequest, { metadata: { name = '', labels } }: ResourceObject): void {
  const found = labels?.[operatingSystem] ?? '';
  if (found === 'linux') return;
  const where = `node ${goQuote(name)} is ${goQuote(found)}`;
  throw admissionForbidden(request, `pod resize is only supported on linux nodes, ${where}`);
}
