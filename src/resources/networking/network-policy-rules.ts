import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { cidrWarnings } from '../validation/addresses.ts';
import { directions, peersOf, specOf } from './network-policy.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

function setDefaults(object: ResourceObject): void {
  const spec = specOf(object);
  for (const { rules } of directions) {
    for (const { ports = [] } of spec[rules] ?? []) {
      for (const port of ports) port.protocol ??= 'TCP';
    }
  }
  if (spec.policyTypes?.length) return;
  spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
}

function warnings(object: ResourceObject): string[] {
  return peersOf(specOf(object)).flatMap(({ peer: { ipBlock }, path }) => {
    if (ipBlock === undefined) return [];
    const { cidr = '', except = [] } = ipBlock;
    const exceptions = except.flatMap((range, index) => cidrWarnings(`${path}.ipBlock.except[${index}]`, range));
    return [...cidrWarnings(`${path}.ipBlock.cidr`, cidr), ...exceptions];
  });
}

export const networkPolicyRules: Partial<ResourceRules> = {
  setDefaults,
  validate: (object) => validateNetworkPolicy(object),
  validateUpdate: validateNetworkPolicy,
  warnings,
};
