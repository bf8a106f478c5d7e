import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, type NameCheck, pathSegmentErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { explicitValue } from '../../schema/explicit-empty.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { canonicalIpProblem, parseCidr, validateCanonicalCidr } from '../validation/addresses.ts';
import { immutableDetail } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateSegment } from './ingress-backend.ts';
import { ParentReference, ServiceCIDRSpec } from './service-address-types.ts';

function parentOf({ spec }: ResourceObject): ParentReference | undefined {
  return (spec as { readonly parentRef?: ParentReference } | undefined)?.parentRef;
}

/** The name is the address in canonical format, so that each address has exactly one name. */
const addressName: NameCheck = (name) => {
  const problem = canonicalIpProblem(name);
  return problem === undefined ? [] : [problem];
};

function validateAddress(object: ResourceObject): FieldError[] {
  const parent = parentOf(object);
  const path = 'spec.parentRef';
  if (parent === undefined) return [requiredValue(path)];
  const { group, resource, namespace, name } = parent;
  const errors: FieldError[] = [];
  for (const detail of group ? dnsSubdomainErrors(group) : [])
    errors.push(invalidValue(`${path}.group`, group, detail));
  errors.push(...validateSegment(resource, `${path}.resource`));
  errors.push(...validateSegment(name, `${path}.name`));
  for (const detail of namespace ? pathSegmentErrors(namespace) : []) {
    errors.push(invalidValue(`${path}.namespace`, namespace, detail));
  }
  return errors;
}

function validateAddressUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const shown = internalParent(parentOf(next));
  if (JSON.stringify(shown) === JSON.stringify(internalParent(parentOf(oldObject)))) return [];
  return [invalidValue('spec.parentRef', shown, immutableDetail)];
}

function internalParent(parent: ParentReference | undefined): unknown {
  return parent && internalValue(ParentReference, parent);
}

export const ipAddressRules: Partial<ResourceRules> = {
  name: addressName,
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  validate: validateAddress,
  validateUpdate: validateAddressUpdate,
};

function cidrsOf({ spec }: ResourceObject): readonly string[] {
  return (spec as { readonly cidrs?: readonly string[] } | undefined)?.cidrs ?? [];
}

function validateCidrs(object: ResourceObject): FieldError[] {
  const cidrs = cidrsOf(object);
  const path = 'spec.cidrs';
  if (cidrs.length === 0) return [requiredValue(path, 'at least one CIDR required')];
  if (cidrs.length > 2) {
    return [invalidValue(path, internalValue(ServiceCIDRSpec, object.spec), 'may only hold up to 2 values')];
  }
  const errors = cidrs.flatMap((cidr, index) => validateCanonicalCidr(cidr, `${path}[${index}]`));
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.family);
  if (cidrs.length === 2 && first !== undefined && first === second) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalidValue(path, cidrs, detail));
  }
  return errors;
}

/** The only allowed change is to add a range of the other IP family. */
function validateCidrsUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const cidrs = cidrsOf(next);
  const old = cidrsOf(oldObject);
  const path = 'spec.cidrs';
  const changed = (index: number) => invalidValue(`${path}[${index}]`, cidrs[index], immutableDetail);
  if (cidrs.length === old.length) return old.flatMap((cidr, index) => (cidr === cidrs[index] ? [] : [changed(index)]));
  if (old.length !== 1 || cidrs.length !== 2) {
    return [invalidValue(path, explicitValue(next.spec as object, 'cidrs', []), immutableDetail)];
  }
  return [...(cidrs[0] === old[0] ? [] : [changed(0)]), ...validateCidrs(next)];
}

export const serviceCidrRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'metadataChange', 'change'],
  validate: validateCidrs,
  validateUpdate: validateCidrsUpdate,
  validateStatus: () => [],
  prepareStatusUpdate: keepStoredMetadata,
};
