import { systemClock, timestamp } from '../../meta/clock.ts';
import { type FieldError, fieldErrorText, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, conflict, type StatusError, unclassified } from '../../meta/status-error.ts';
import type { ObjectAction } from '../../registry/resource-definition.ts';
import { Binding } from '../core/binding-types.ts';
import type { PodCondition } from '../core/pod-status-types.ts';
import type { PodSpec } from '../core/pod-types.ts';
import type { ObjectReference } from '../core/reference-types.ts';

/** The binding subresource, with which a scheduler assigns a pod to a node. A binding is final. */
export const bindPod: ObjectAction = {
  schema: Binding,
  check(binding, name) {
    if ((binding.metadata.name ?? '') !== name) throw badRequest('name in URL does not match name in Binding object');
    const [error] = targetErrors((binding.target ?? {}) as ObjectReference);
    if (error !== undefined) throw unclassified(fieldErrorText(error));
  },
  apply(pod, binding, clock) {
    checkPreconditions(pod, binding);
    const spec = (pod.spec ?? {}) as PodSpec;
    const { name = '', deletionTimestamp } = pod.metadata;
    const refuse = (detail: string): StatusError => conflict({ group: '', resource: 'pods/binding' }, name, detail);
    if (deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
    if (spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${spec.nodeName}"`);
    if (spec.schedulingGates?.length) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
    pod.spec = { ...spec, nodeName: (binding.target as ObjectReference).name };
    mergeInto(pod, binding, 'annotations');
    mergeInto(pod, binding, 'labels');
    markScheduled(pod, clock);
  },
};

function targetErrors({ kind = '', name = '' }: ObjectReference): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupportedValue('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(requiredValue('target.name'));
  return errors;
}

function checkPreconditions(
  { metadata: pod }: ResourceObject,
  { metadata: { uid, resourceVersion } }: ResourceObject,
): void {
  const failed = (what: string, expected: string, actual: string | undefined): StatusError =>
    conflict(
      { group: '', resource: 'pods' },
      pod.name ?? '',
      `StorageError: invalid object, Code: 4, Key: /registry/pods/${pod.namespace}/${pod.name}, ResourceVersion: 0, ` +
        `AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${actual}`,
    );
  if (uid && uid !== pod.uid) throw failed('UID', uid, pod.uid);
  if (resourceVersion && resourceVersion !== pod.resourceVersion) {
    throw failed('ResourceVersion', resourceVersion, pod.resourceVersion);
  }
}

function mergeInto(pod: ResourceObject, binding: ResourceObject, field: 'annotations' | 'labels'): void {
  const added = binding.metadata[field];
  if (added !== undefined) pod.metadata[field] = { ...pod.metadata[field], ...added };
}

function markScheduled(pod: ResourceObject, clock = systemClock): void {
  const status = (pod.status ?? {}) as { readonly conditions?: readonly PodCondition[] };
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(clock) };
  pod.status = { ...status, conditions: [...others, scheduled] };
}
