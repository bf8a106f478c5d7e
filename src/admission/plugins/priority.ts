import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest, ObjectReader } from '../admission-plugin.ts';
import { refused } from './refused.ts';

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

interface PriorityClass extends ResourceObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

interface PodSpec {
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
}

/** The priority of a pod is a name; the number behind it is looked up once, when the pod is made. */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  resources: ['/pods', 'scheduling.k8s.io/priorityclasses'],
  async mutate(request, objects) {
    if (request.resource !== 'pods') return;
    if (request.operation === 'UPDATE') keepPriority(request);
    else await setPriority(request, objects);
  },
  async validate(request, objects) {
    if (request.resource === 'priorityclasses') await checkOnlyDefault(request, objects);
  },
};

function keepPriority({ object, stored }: AdmissionRequest): void {
  const spec = (object.spec ?? {}) as PodSpec;
  const { priority: number, preemptionPolicy } = (stored?.spec ?? {}) as PodSpec;
  object.spec = {
    ...spec,
    priority: spec.priority ?? number,
    preemptionPolicy: spec.preemptionPolicy ?? preemptionPolicy,
  };
}

async function setPriority(request: AdmissionRequest, objects: ObjectReader): Promise<void> {
  const spec = (request.object.spec ?? {}) as PodSpec;
  const chosen = await chosenClass(request, objects, spec.priorityClassName ?? '');
  const number = chosen?.value ?? 0;
  const policy = chosen?.preemptionPolicy ?? 'PreemptLowerPriority';
  const computed = (value: number | string): string =>
    `must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
  if (spec.priority !== undefined && spec.priority !== number) {
    throw refused(request, `the integer value of priority (${spec.priority}) ${computed(number)}`);
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refused(request, `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${computed(policy)}`);
  }
  const priorityClassName = spec.priorityClassName ?? chosen?.metadata.name;
  request.object.spec = { ...spec, priorityClassName, priority: number, preemptionPolicy: policy };
}

async function chosenClass(
  request: AdmissionRequest,
  objects: ObjectReader,
  name: string,
): Promise<PriorityClass | undefined> {
  if (name === '') {
    const defaults = ((await objects.list(priorityClasses, '')) as PriorityClass[]).filter(isDefault);
    // There should be one only; of several the least important is the safest.
    return defaults.sort((left, right) => (left.value ?? 0) - (right.value ?? 0))[0];
  }
  const found = await objects.get(priorityClasses, { namespace: '', name });
  if (found === undefined) throw refused(request, `no PriorityClass with name ${name} was found`);
  return found as PriorityClass;
}

async function checkOnlyDefault(request: AdmissionRequest, objects: ObjectReader): Promise<void> {
  if (!isDefault(request.object as PriorityClass)) return;
  const others = (await objects.list(priorityClasses, '')) as PriorityClass[];
  const other = others.find((found) => isDefault(found) && found.metadata.name !== request.object.metadata.name);
  if (other === undefined) return;
  throw refused(
    request,
    `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
  );
}

function isDefault({ globalDefault }: PriorityClass): boolean {
  return globalDefault === true;
}
