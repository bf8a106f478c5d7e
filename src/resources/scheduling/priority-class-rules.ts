import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { forbidden } from '../../meta/status-error.ts';
import type { PriorityClass } from './priority-class-types.ts';
import { preemptionPolicies } from './priority-class-types.ts';

const systemPrefix = 'system-';
const systemValues: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const maxUserValue = 1_000_000_000;

export const priorityClassRules = {
  setDefaults(object: ResourceObject): void {
    const priorityClass = object as PriorityClass;
    priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
  },

  /** The generation starts at 1 and only a deletion increments it, because the value of a class is immutable. */
  prepareCreate({ metadata }: ResourceObject): void {
    metadata.generation = 1;
  },

  validate(object: ResourceObject): FieldError[] {
    const { metadata, value = 0, globalDefault = false, preemptionPolicy } = object as PriorityClass;
    const { name = '' } = metadata;
    const errors: FieldError[] = [];
    if (name.startsWith(systemPrefix)) {
      const difference = systemDifference(name, { value, globalDefault });
      if (difference !== undefined) {
        const reserved = `priority class names with '${systemPrefix}' prefix are reserved for system use only.`;
        errors.push(forbiddenValue('metadata.name', `${reserved} error: ${difference}`));
      }
    } else if (value > maxUserValue) {
      errors.push(forbiddenValue('value', `maximum allowed value of a user defined priority is ${maxUserValue}`));
    }
    return [...errors, ...policyErrors(preemptionPolicy)];
  },

  validateUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
    const { value = 0, preemptionPolicy } = next as PriorityClass;
    const previous = oldObject as PriorityClass;
    const errors: FieldError[] = [];
    if (value !== (previous.value ?? 0)) errors.push(forbiddenValue('value', 'may not be changed in an update.'));
    if (preemptionPolicy !== previous.preemptionPolicy) {
      errors.push(invalidValue('preemptionPolicy', preemptionPolicy, 'field is immutable'));
    }
    return errors;
  },

  admitDelete(name: string): void {
    if (!systemValues.has(name)) return;
    const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};

/** Returns how a class with a reserved name differs from the system class of this name. */
function systemDifference(
  name: string,
  { value, globalDefault }: { value: number; globalDefault: boolean },
): string | undefined {
  const expected = systemValues.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function policyErrors(policy: string | undefined): FieldError[] {
  if (policy === undefined || preemptionPolicies.includes(policy)) return [];
  if (policy === '') return [requiredValue('preemptionPolicy')];
  return [notSupportedValue('preemptionPolicy', policy, preemptionPolicies)];
}
