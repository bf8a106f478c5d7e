import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

interface PriorityClass extends ResourceObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

interface PodSpec {
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
}

/** Resolves the priority class of a new pod to a number. */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods', 'scheduling.k8s.io/priorityclasses'] }],
  mutate(request, objects) {
    if (request.resource.resource !== 'pods') return;
    if (request.operation === 'UPDATE') return keepPriority(request);
    const { priorityClassName = '' } = (request.object.spec ?? {}) as PodSpec;
    return mapMaybe(chosenClass(request, objects, priorityClassName), (chosen) => setPriority(request, chosen));
  },
  validate(request, objects) {
    if (request.resource.resource === 'priorityclasses') return checkOnlyDefault(request, objects);
  },
};

function keepPriority({ object, oldObject }: AdmissionRequest): void {
  const spec = (object.spec ?? {}) as PodSpec;
  const { priority: number, preemptionPolicy } = (oldObject?.spec ?? {}) as PodSpec;
  object.spec = {
    ...spec,
    priority: spec.priority ?? number,
    preemptionPolicy: spec.preemptionPolicy ?? preemptionPolicy,
  };
}

function setPriority(request: AdmissionRequest, chosen: PriorityClass | undefined): void {
  request.object.spec ??= {};
  const spec = request.object.spec as PodSpec;
  const number = chosen?.value ?? 0;
  const policy = chosen?.preemptionPolicy ?? 'PreemptLowerPriority';
  const computed = (value: number | string): string =>
    `must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
  if (spec.priority !== undefined && spec.priority !== number) {
    throw admissionForbidden(request, `the integer value of priority (${spec.priority}) ${computed(number)}`);
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw admissionForbidden(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${computed(policy)}`,
    );
  }
  spec.priorityClassName ??= chosen?.metadata.name;
  spec.priority = number;
  spec.preemptionPolicy = policy;
}

function chosenClass(
  request: AdmissionRequest,
  objects: ObjectReader,
  name: string,
): MaybePromise<PriorityClass | undefined> {
  if (name === '') return mapMaybe(objects.list(priorityClasses, ''), defaultClassOf);
  return mapMaybe(objects.get(priorityClasses, { namespace: '', name }), (found) => {
    if (found === undefined) throw admissionForbidden(request, `no PriorityClass with name ${name} was found`);
    return found as PriorityClass;
  });
}

/** The default class. If there are several, the lowest value is the safest. */
function defaultClassOf(classes: readonly PriorityClass[]): PriorityClass | undefined {
  let chosen: PriorityClass | undefined;
  for (const found of classes) {
    if (isDefault(found) && (chosen === undefined || (found.value ?? 0) < (chosen.value ?? 0))) chosen = found;
  }
  return chosen;
}

function checkOnlyDefault(request: AdmissionRequest, objects: ObjectReader): MaybePromise<void> {
  if (!isDefault(request.object as PriorityClass)) return;
  return mapMaybe(objects.list(priorityClasses, ''), (others: readonly PriorityClass[]) => {
    const other = others.find((found) => isDefault(found) && found.metadata.name !== request.object.metadata.name);
    if (other === undefined) return;
    const problem = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
    throw admissionForbidden(request, problem);
  });
}

function isDefault({ globalDefault }: PriorityClass): boolean {
  return globalDefault === true;
}
