import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { ipWarnings } from '../validation/addresses.ts';
import { endpointsOf, portsOf } from './endpoint-slice.ts';
import { validateEndpointSlice, validateSameAddressType } from './endpoint-slice-validation.ts';

function setDefaults(object: ResourceObject): void {
  for (const port of portsOf(object)) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

/** v1 accepts `deprecatedTopology` of v1beta1 but does not store it. */
function dropDeprecatedTopology(object: ResourceObject): void {
  for (const endpoint of endpointsOf(object)) {
    if (endpoint.deprecatedTopology !== undefined) delete endpoint.deprecatedTopology;
  }
}

/** A label selects the service of the slice, so a change of labels increments the generation. */
function prepareUpdate(next: ResourceObject, oldObject: ResourceObject): void {
  dropDeprecatedTopology(next);
  const labels = ({ metadata }: ResourceObject) => JSON.stringify(Object.entries(metadata.labels ?? {}).sort());
  if (labels(next) !== labels(oldObject)) next.metadata.generation = (oldObject.metadata.generation ?? 0) + 1;
}

/** The type of the addresses cannot change, so that its deprecation concerns new slices only. */
function warnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  if (object.addressType === 'FQDN') {
    return oldObject === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
  }
  return endpointsOf(object).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}

export const endpointSliceRules: Partial<ResourceRules> = {
  setDefaults,
  updateChecks: ['metadata', 'object', 'change'],
  validate: validateEndpointSlice,
  validateUpdate: validateSameAddressType,
  prepareCreate: dropDeprecatedTopology,
  prepareUpdate,
  warnings,
};
