import { type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { ServiceSpec } from '../service-types.ts';
import { validateLoadBalancerClass } from './load-balancer-validation.ts';
import { isHeadless, needsHealthCheckNodePort, specOf } from './service-spec.ts';

const fixed = 'may not change once set';

export function validateServiceUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const spec = specOf(next);
  const before = specOf(oldObject);
  return [
    ...listChanges({ spec, before, field: 'clusterIPs', noun: 'clusterIP' }),
    ...listChanges({ spec, before, field: 'ipFamilies', noun: 'ipFamily' }),
    ...classChanges(spec, before),
    ...healthCheckChanges(spec, before),
  ];
}

interface ListChange {
  readonly spec: ServiceSpec;
  readonly before: ServiceSpec;
  readonly field: 'clusterIPs' | 'ipFamilies';
  readonly noun: string;
}

/**
 * The primary entry is immutable. A secondary entry can be added, and removed together with a change of the policy to
 * `SingleStack`. Services without addresses are exempt, and so are the families of those that select no pods either.
 */
function listChanges({ spec, before, field, noun }: ListChange): FieldError[] {
  if (!hasAddresses(spec) || !hasAddresses(before)) return [];
  const isAddress = field === 'clusterIPs';
  const areHeadless = isHeadless(spec) && isHeadless(before);
  if (areHeadless && (isAddress || (selectsNone(spec) && selectsNone(before)))) return [];
  const values = spec[field] ?? [];
  const old = before[field] ?? [];
  const path = `spec.${field}`;
  const errors: FieldError[] = [];
  const changed = (index: number) => errors.push(invalidValue(`${path}[${index}]`, values, fixed));
  if (values.length === old.length) {
    for (let index = 0; index < old.length; index++) {
      // kube-apiserver always reports index 0 for IP families.
      if (old[index] !== values[index]) changed(isAddress ? index : 0);
    }
    return errors;
  }
  if (values.length === 0) errors.push(invalidValue(`${path}[0]`, values, `primary ${noun} can not be unset`));
  if (values.length > 0 && old.length > 0 && values[0] !== old[0]) changed(0);
  if (values.length === 1 && old.length > 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = `must be set to 'SingleStack' when releasing the secondary ${noun}`;
    errors.push(invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail));
  }
  return errors;
}

const selectsNone = ({ selector = {} }: ServiceSpec): boolean => Object.keys(selector).length === 0;

const addressedTypes: readonly (string | undefined)[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** Also false for an unknown type, which is a separate error. */
function hasAddresses({ type }: ServiceSpec): boolean {
  return addressedTypes.includes(type);
}

function classChanges(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const isBalanced = spec.type === 'LoadBalancer' && before.type === 'LoadBalancer';
  if (isBalanced && spec.loadBalancerClass !== before.loadBalancerClass) {
    errors.push(invalidValue('spec.loadBalancerClass', spec.loadBalancerClass, fixed));
  }
  return [...errors, ...validateLoadBalancerClass(spec)];
}

function healthCheckChanges(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (!needsHealthCheckNodePort(spec) || !needsHealthCheckNodePort(before)) return [];
  if ((spec.healthCheckNodePort ?? 0) === (before.healthCheckNodePort ?? 0)) return [];
  return [forbiddenValue('spec.healthCheckNodePort', 'field is immutable')];
}
