import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validatePortName, validatePortNumber } from '../core/service/port-syntax.ts';
import { cidrContains, networkAddress, type ParsedCidr, parseCidr, validateCidr } from '../validation/addresses.ts';
import { type LabelSelectorOptions, validateLabelSelector } from '../validation/label-selectors.ts';
import { directions, type PolicyRule, peersOf, specOf } from './network-policy.ts';
import {
  type IPBlock,
  type NetworkPolicyPeer,
  type NetworkPolicyPort,
  NetworkPolicySpec,
  protocols,
} from './network-policy-types.ts';

const policyTypes = enumOf(NetworkPolicySpec, 'policyTypes');

/** Values of the old policy that stay accepted although they are invalid. */
interface Tolerance {
  readonly existing: readonly string[] | undefined;
  readonly selectors: LabelSelectorOptions;
}

export function validateNetworkPolicy(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const spec = specOf(object);
  const tolerance = toleranceOf(oldObject);
  const errors = validateLabelSelector(spec.podSelector, 'spec.podSelector', tolerance.selectors);
  for (const { rules, peers } of directions) {
    (spec[rules] ?? []).forEach((rule: PolicyRule, index) => {
      const path = `spec.${rules}[${index}]`;
      (rule.ports ?? []).forEach((port, at) => {
        errors.push(...portErrors(port, `${path}.ports[${at}]`));
      });
      (rule[peers] ?? []).forEach((peer, at) => {
        errors.push(...peerErrors(peer, `${path}.${peers}[${at}]`, tolerance));
      });
    });
  }
  return [...errors, ...typeErrors(spec.policyTypes ?? [])];
}

function toleranceOf(oldObject: ResourceObject | undefined): Tolerance {
  if (oldObject === undefined) return { existing: undefined, selectors: {} };
  const spec = specOf(oldObject);
  const existing = peersOf(spec).flatMap(({ peer: { ipBlock } }) =>
    ipBlock === undefined ? [] : [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])],
  );
  const allowInvalidValues = validateLabelSelector(spec.podSelector, '').length > 0;
  return { existing, selectors: { allowInvalidValues } };
}

function typeErrors(types: readonly string[]): FieldError[] {
  const path = 'spec.policyTypes';
  if (types.length > policyTypes.length) {
    return [invalidValue(path, types, 'may not specify more than two policyTypes')];
  }
  return types.flatMap((type, index) =>
    policyTypes.includes(type) ? [] : [notSupportedValue(`${path}[${index}]`, type, policyTypes)],
  );
}

function portErrors({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupportedValue(`${path}.protocol`, protocol, protocols));
  }
  const endPath = `${path}.endPort`;
  if (port === undefined) {
    if (endPort !== undefined) {
      errors.push(invalidValue(endPath, endPort, 'may not be specified when `port` is not specified'));
    }
  } else if (typeof port === 'string') {
    if (endPort !== undefined) {
      errors.push(invalidValue(endPath, endPort, 'may not be specified when `port` is non-numeric'));
    }
    errors.push(...validatePortName(port, `${path}.port`));
  } else {
    errors.push(...validatePortNumber(port, `${path}.port`));
    if (endPort === undefined) return errors;
    // The error prints the start of the range instead of its end, as in kube-apiserver.
    if (endPort < port) errors.push(invalidValue(endPath, port, 'must be greater than or equal to `port`'));
    errors.push(...validatePortNumber(endPort, endPath));
  }
  return errors;
}

function peerErrors(peer: NetworkPolicyPeer, path: string, { existing, selectors }: Tolerance): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  const errors = [
    ...validateLabelSelector(podSelector, `${path}.podSelector`, selectors),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, selectors),
  ];
  if (ipBlock !== undefined) errors.push(...blockErrors(ipBlock, `${path}.ipBlock`, existing));
  if (ipBlock === undefined) {
    if (!hasSelector) errors.push(requiredValue(path, 'must specify a peer'));
  } else if (hasSelector) {
    errors.push(forbiddenValue(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function blockErrors({ cidr = '', except = [] }: IPBlock, path: string, existing?: readonly string[]): FieldError[] {
  if (cidr === '') return [requiredValue(`${path}.cidr`)];
  const errors = validateCidr(cidr, `${path}.cidr`, existing);
  const block = parseCidr(cidr);
  if (block === undefined) return errors;
  except.forEach((text, index) => {
    const at = `${path}.except[${index}]`;
    errors.push(...validateCidr(text, at, existing));
    const exception = parseCidr(text);
    if (exception === undefined || isStrictSubset(exception, block)) return;
    errors.push(invalidValue(at, text, 'must be a strict subset of `cidr`'));
  });
  return errors;
}

function isStrictSubset(inner: ParsedCidr, outer: ParsedCidr): boolean {
  return cidrContains(outer, networkAddress(inner)) && inner.prefixLength > outer.prefixLength;
}
