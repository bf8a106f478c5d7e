import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooMany,
} from '../../meta/field-error.ts';
import { labelValueErrors } from '../../meta/label-syntax.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateAppProtocol, validateDnsLabel, validateProtocol } from '../core/service/port-syntax.ts';
import { ipFamily, validateIp, validateNonSpecialIp } from '../validation/addresses.ts';
import { endpointsOf, portsOf } from './endpoint-slice.ts';
import { addressTypes, type Endpoint, EndpointPort, type ForNode, type ForZone } from './endpoint-slice-types.ts';

const maximum = { endpoints: 1000, addresses: 100, ports: 20_000, hints: 8 };

export function validateEndpointSlice(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const addressType = (object.addressType as string | undefined) ?? '';
  const existing = oldObject && new Set(endpointsOf(oldObject).flatMap(({ addresses }) => addresses ?? []));
  return [
    ...addressTypeErrors(addressType),
    ...portErrors(portsOf(object)),
    ...endpointErrors(endpointsOf(object), addressType, existing),
  ];
}

export function validateSameAddressType(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  if (next.addressType === oldObject.addressType) return [];
  return [invalidValue('addressType', next.addressType ?? '', 'field is immutable')];
}

function addressTypeErrors(type: string): FieldError[] {
  if (type === '') return [requiredValue('addressType')];
  return addressTypes.includes(type) ? [] : [notSupportedValue('addressType', type, addressTypes)];
}

function endpointErrors(
  endpoints: readonly Endpoint[],
  type: string,
  existing: ReadonlySet<string> | undefined,
): FieldError[] {
  if (endpoints.length > maximum.endpoints) return [tooMany('endpoints', endpoints.length, maximum.endpoints)];
  const errors: FieldError[] = [];
  for (let index = 0; index < endpoints.length; index++) {
    const { addresses, nodeName, hostname, hints } = endpoints[index]!;
    const path = `endpoints[${index}]`;
    errors.push(...addressErrors({ addresses: addresses ?? [], type, path: `${path}.addresses`, existing }));
    if (nodeName !== undefined) errors.push(...nodeNameErrors(nodeName, `${path}.nodeName`));
    if (hostname !== undefined) errors.push(...validateDnsLabel(hostname, `${path}.hostname`));
    if (hints === undefined) continue;
    errors.push(...hintErrors(hints.forZones, `${path}.hints.forZones`, zoneErrors));
    errors.push(...hintErrors(hints.forNodes, `${path}.hints.forNodes`, nodeNameErrors));
  }
  return errors;
}

interface Addresses {
  readonly addresses: readonly string[];
  readonly type: string;
  readonly path: string;
  /** The addresses of the old object, which may stay. */
  readonly existing: ReadonlySet<string> | undefined;
}

function addressErrors({ addresses, type, path, existing }: Addresses): FieldError[] {
  if (addresses.length === 0) return [requiredValue(path, 'must contain at least 1 address')];
  const errors: FieldError[] = [];
  if (addresses.length > maximum.addresses) errors.push(tooMany(path, addresses.length, maximum.addresses));
  for (let index = 0; index < addresses.length; index++) {
    const address = addresses[index]!;
    const at = `${path}[${index}]`;
    if (type === 'FQDN') {
      errors.push(...domainErrors(address, at));
    } else if (!existing?.has(address) && (type === 'IPv4' || type === 'IPv6')) {
      const found = validateIp(address, at);
      errors.push(...found);
      if (found.length > 0) continue;
      // The field path is that of the list, not of the address, as in kube-apiserver.
      if (ipFamily(address) !== type) errors.push(invalidValue(path, address, `must be an ${type} address`));
      errors.push(...validateNonSpecialIp(address, at));
    }
  }
  return errors;
}

/** A name of at least two labels, with an optional trailing dot. */
function domainErrors(address: string, path: string): FieldError[] {
  if (address === '') return [requiredValue(path)];
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const problems = dnsSubdomainErrors(name);
  if (problems.length > 0) return [invalidValue(path, name, problems.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalidValue(path, name, 'should be a domain with at least two segments separated by dots')];
  }
  return labels.flatMap((label) => {
    const wrong = dnsLabelErrors(label);
    return wrong.length === 0 ? [] : [invalidValue(path, label, wrong.join(','))];
  });
}

function nodeNameErrors(name: string, path: string): FieldError[] {
  return dnsSubdomainErrors(name).map((detail) => invalidValue(path, name, detail));
}

function zoneErrors(zone: string, path: string): FieldError[] {
  return labelValueErrors(zone).map((detail) => invalidValue(path, zone, detail));
}

function hintErrors(
  hints: readonly (ForNode | ForZone)[] = [],
  path: string,
  check: (name: string, path: string) => FieldError[],
): FieldError[] {
  if (hints.length > maximum.hints) return [tooMany(path, hints.length, maximum.hints)];
  const seen = new Set<string>();
  return hints.flatMap(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    const errors = seen.has(name) ? [duplicateValue(at, name)] : [];
    seen.add(name);
    return [...errors, ...check(name, at)];
  });
}

function portErrors(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maximum.ports) return [tooMany('ports', ports.length, maximum.ports)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    const { name = '', protocol, appProtocol } = ports[index]!;
    const path = `ports[${index}]`;
    if (name !== '') errors.push(...validateDnsLabel(name, `${path}.name`));
    if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
    names.add(name);
    errors.push(
      ...(protocol === '' ? [unsupportedEmpty(`${path}.protocol`)] : validateProtocol(protocol, `${path}.protocol`)),
    );
    errors.push(...validateAppProtocol(appProtocol, `${path}.appProtocol`));
  }
  return errors;
}

/** An empty protocol is an error, unlike an absent one. */
function unsupportedEmpty(path: string): FieldError {
  return notSupportedValue(path, '', enumOf(EndpointPort, 'protocol'));
}
