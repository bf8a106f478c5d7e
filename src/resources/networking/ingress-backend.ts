import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../meta/names.ts';
import type { TypedLocalObjectReference } from '../core/reference-types.ts';
import { validateDnsLabel, validatePortName, validatePortNumber } from '../core/service/port-syntax.ts';
import type { IngressBackend } from './ingress-types.ts';

/** A backend is either a service port or a reference to another object. */
export function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateTypedReference(resource, `${path}.resource`);
  if (service === undefined) return [invalidValue(path, '', 'resource or service backend is required')];
  const { name = '', port = {} } = service;
  const errors = name === '' ? [requiredValue(`${path}.service.name`)] : validateDnsLabel(name, `${path}.service.name`);
  if (port.name && port.number) errors.push(invalidValue(path, '', 'cannot set both port name & port number'));
  else if (port.name) errors.push(...validatePortName(port.name, `${path}.service.port.name`));
  else if (port.number) errors.push(...validatePortNumber(port.number, `${path}.service.port.number`));
  else errors.push(requiredValue(path, 'port name or number is required'));
  return errors;
}

export function validateTypedReference(
  { apiGroup, kind, name }: TypedLocalObjectReference,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const detail of apiGroup === undefined || apiGroup === null ? [] : dnsSubdomainErrors(apiGroup)) {
    errors.push(invalidValue(`${path}.apiGroup`, apiGroup, detail));
  }
  errors.push(...validateSegment(kind, `${path}.kind`));
  errors.push(...validateSegment(name, `${path}.name`));
  return errors;
}

/** A required name that is valid as a path segment. */
export function validateSegment(word: string | undefined, path: string): FieldError[] {
  if (!word) return [requiredValue(path)];
  return pathSegmentErrors(word).map((detail) => invalidValue(path, word, detail));
}
