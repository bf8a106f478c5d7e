import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { isIp, validateCidr, validateIp } from '../../validation/addresses.ts';
import type { LoadBalancerIngress, ServiceSpec, ServiceStatus } from '../service-types.ts';
import { specOf } from './service-spec.ts';

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const ipModes = ['Proxy', 'VIP'];

export function validateLoadBalancerFields(
  object: ResourceObject,
  oldObject: ResourceObject | undefined,
): FieldError[] {
  const spec = specOf(object);
  const errors = sourceRangeErrors(object, oldObject);
  const path = 'spec.allocateLoadBalancerNodePorts';
  if (spec.allocateLoadBalancerNodePorts === undefined) {
    if (spec.type === 'LoadBalancer') errors.push(requiredValue(path));
  } else if (spec.type !== 'LoadBalancer') {
    errors.push(forbiddenValue(path, onlyLoadBalancers));
  }
  errors.push(...validateLoadBalancerClass(spec));
  return errors;
}

/** The annotation predates the field. Both allow spaces around a range. */
function sourceRangeErrors(object: ResourceObject, oldObject: ResourceObject | undefined): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [] } = specOf(object);
  const annotation = object.metadata.annotations?.[rangesAnnotation];
  const errors: FieldError[] = [];
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    if (type !== 'LoadBalancer') errors.push(forbiddenValue(path, onlyLoadBalancers));
    const existing = oldObject && specOf(oldObject).loadBalancerSourceRanges;
    for (let index = 0; index < ranges.length; index++) {
      errors.push(...validateCidr(ranges[index]!.trim(), `${path}[${index}]`, existing));
    }
  } else if (annotation !== undefined) {
    const path = `metadata.annotations[${rangesAnnotation}]`;
    if (type !== 'LoadBalancer') errors.push(forbiddenValue(path, onlyLoadBalancers));
    const isNew = oldObject?.metadata.annotations?.[rangesAnnotation] !== annotation;
    for (const range of isNew && annotation.trim() !== '' ? annotation.split(',') : []) {
      errors.push(...validateCidr(range.trim(), path));
    }
  }
  return errors;
}

export function validateLoadBalancerClass({ type, loadBalancerClass }: ServiceSpec): FieldError[] {
  if (loadBalancerClass === undefined) return [];
  const path = 'spec.loadBalancerClass';
  if (type !== 'LoadBalancer') return [forbiddenValue(path, onlyLoadBalancers)];
  return labelKeyErrors(loadBalancerClass).map((detail) => invalidValue(path, loadBalancerClass, detail));
}

/** Validates the ingress points that a load balancer controller reports. */
export function validateServiceStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const ingress = ingressOf(next);
  const path = 'status.loadBalancer.ingress';
  if (ingress.length === 0) return [];
  if (specOf(next).type !== 'LoadBalancer') {
    return [forbiddenValue(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const existing = ingressOf(oldObject).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap((point, index) => [
    ...ingressErrors(point, `${path}[${index}]`, existing),
    ...validateIngressHostname(point.hostname, `${path}[${index}].hostname`),
  ]);
}

function ingressOf({ status }: ResourceObject): readonly LoadBalancerIngress[] {
  return (status as ServiceStatus | undefined)?.loadBalancer?.ingress ?? [];
}

function ingressErrors(
  { ip = '', ipMode }: LoadBalancerIngress,
  path: string,
  existing: readonly string[],
): FieldError[] {
  const errors = ip === '' ? [] : validateIp(ip, `${path}.ip`, existing);
  const modePath = `${path}.ipMode`;
  if (ipMode === undefined) {
    if (ip !== '') errors.push(requiredValue(modePath, 'must be specified when `ip` is set'));
  } else if (ip === '') {
    errors.push(forbiddenValue(modePath, 'may not be specified when `ip` is not set'));
  } else if (!ipModes.includes(ipMode)) {
    errors.push(notSupportedValue(modePath, ipMode, ipModes));
  }
  return errors;
}

/** An empty hostname counts as absent. */
export function validateIngressHostname(hostname: string | undefined, path: string): FieldError[] {
  if (!hostname) return [];
  const errors = dnsSubdomainErrors(hostname).map((detail) => invalidValue(path, hostname, detail));
  if (isIp(hostname)) errors.push(invalidValue(path, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}
