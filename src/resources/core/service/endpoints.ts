import { type FieldError, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { ipWarnings, validateIp, validateNonSpecialIp } from '../../validation/addresses.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../endpoints-types.ts';
import { validateAppProtocol, validateDnsLabel, validatePortNumber, validateProtocol } from './port-syntax.ts';

const addressLists = ['addresses', 'notReadyAddresses'] as const;

function subsetsOf(object: ResourceObject): readonly EndpointSubset[] {
  return (object.subsets as readonly EndpointSubset[] | undefined) ?? [];
}

export function setEndpointsDefaults(object: ResourceObject): void {
  for (const { ports = [] } of subsetsOf(object)) {
    for (const port of ports) port.protocol ??= 'TCP';
  }
}

export function validateEndpoints(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const existing = oldObject && subsetsOf(oldObject).flatMap(ipsOf);
  const errors: FieldError[] = [];
  const subsets = subsetsOf(object);
  for (let index = 0; index < subsets.length; index++) {
    const subset = subsets[index]!;
    const path = `subsets[${index}]`;
    if (!subset.addresses?.length && !subset.notReadyAddresses?.length) {
      errors.push(requiredValue(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const list of addressLists) {
      (subset[list] ?? []).forEach((address, at) => {
        errors.push(...addressErrors(address, `${path}.${list}[${at}]`, existing));
      });
    }
    const { ports = [] } = subset;
    for (let at = 0; at < ports.length; at++) {
      errors.push(...portErrors(ports[at]!, `${path}.ports[${at}]`, { needsName: ports.length > 1 }));
    }
  }
  return errors;
}

function ipsOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset): string[] {
  return [...addresses, ...notReadyAddresses].map(({ ip = '' }) => ip);
}

function addressErrors(
  { ip = '', hostname, nodeName }: EndpointAddress,
  path: string,
  existing: readonly string[] | undefined,
): FieldError[] {
  const errors = validateIp(ip, `${path}.ip`, existing);
  if (hostname) errors.push(...validateDnsLabel(hostname, `${path}.hostname`));
  if (nodeName !== undefined) {
    for (const detail of dnsSubdomainErrors(nodeName)) errors.push(invalidValue(`${path}.nodeName`, nodeName, detail));
  }
  errors.push(...validateNonSpecialIp(ip, `${path}.ip`));
  return errors;
}

function portErrors(
  { name, port, protocol, appProtocol }: EndpointPort,
  path: string,
  { needsName }: { readonly needsName: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (name) errors.push(...validateDnsLabel(name, `${path}.name`));
  else if (needsName) errors.push(requiredValue(`${path}.name`));
  errors.push(...validatePortNumber(port, `${path}.port`));
  errors.push(...validateProtocol(protocol, `${path}.protocol`));
  errors.push(...validateAppProtocol(appProtocol, `${path}.appProtocol`));
  return errors;
}

export function endpointsWarnings(object: ResourceObject): string[] {
  return subsetsOf(object).flatMap((subset, index) =>
    addressLists.flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip = '' }, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, ip)),
    ),
  );
}
