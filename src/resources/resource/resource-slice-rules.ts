import { systemClock, timestamp } from '../../meta/clock.ts';
import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { listOf } from '../../schema/builders.ts';
import { isExplicitEmpty } from '../../schema/explicit-empty.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import type { NodeSelector } from '../core/scheduling-types.ts';
import { NodeSelectorTerm } from '../core/scheduling-types.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateNodeSelector } from '../validation/node-selectors.ts';
import { validatePoolName } from './device-names.ts';
import { validateCounterSetName, validateCounters, validateDevice, validateNodeName } from './device-validation.ts';
import { validateSet } from './list-checks.ts';
import type { Device, ResourceSliceSpec } from './resource-slice-types.ts';

const maxDevices = 128;
const maxSpecialDevices = 64;
const maxCounterSets = 8;

const specOf = ({ spec }: ResourceObject): ResourceSliceSpec => (spec as ResourceSliceSpec | undefined) ?? {};

function validate(spec: ResourceSliceSpec, oldSpec?: ResourceSliceSpec): FieldError[] {
  const { driver = '', pool = {}, devices, sharedCounters, perDeviceNodeSelection } = spec;
  const { name = '', generation = 0, resourceSliceCount = 0 } = pool;
  const errors = [...validateDriverName(driver, 'spec.driver'), ...validatePoolName(name, 'spec.pool.name')];
  if (resourceSliceCount <= 0) {
    errors.push(invalidValue('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'));
  }
  if (generation < 0) {
    errors.push(invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero'));
  }
  if (oldSpec !== undefined) errors.push(...validateChange(spec, oldSpec));
  errors.push(...validateNodes(spec));
  if (isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices')) {
    errors.push(invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'));
  }
  errors.push(
    ...validateSet(devices, 'spec.devices', {
      maximum: devices?.some(isSpecial) ? maxSpecialDevices : maxDevices,
      check: (device, field) =>
        validateDevice(device, field, { perDeviceNodeSelection: perDeviceNodeSelection === true }),
      key: (device) => device.name ?? '',
    }),
    ...validateSet(sharedCounters, 'spec.sharedCounters', {
      maximum: maxCounterSets,
      check: (set, field) => [
        ...validateCounterSetName(set.name ?? '', `${field}.name`),
        ...validateCounters(set.counters, `${field}.counters`),
      ],
      key: (set) => set.name ?? '',
    }),
  );
  return errors;
}

/** An empty list also counts. */
function isGiven(spec: ResourceSliceSpec, field: 'sharedCounters' | 'devices'): boolean {
  return spec[field] !== undefined || isExplicitEmpty(spec, field);
}

/** Devices with taints or counters are larger, so a slice may hold fewer of them. */
function isSpecial({ taints, consumesCounters }: Device): boolean {
  return !!taints?.length || !!consumesCounters?.length;
}

function validateChange(next: ResourceSliceSpec, oldSpec: ResourceSliceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const keep = (field: string, after: string | undefined, before: string | undefined) => {
    if (after !== before) errors.push(invalidValue(`spec.${field}`, after, 'field is immutable'));
  };
  keep('pool.name', next.pool?.name ?? '', oldSpec.pool?.name ?? '');
  keep('driver', next.driver ?? '', oldSpec.driver ?? '');
  keep('nodeName', next.nodeName, oldSpec.nodeName);
  return errors;
}

/** Exactly one of four fields selects the nodes that can access the devices. */
function validateNodes({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const given: string[] = [];
  if (nodeName === '') {
    errors.push(invalidValue('spec.nodeName', nodeName, 'must be either unset or set to a non-empty string'));
  } else if (nodeName !== undefined) {
    given.push('`nodeName`');
    errors.push(...validateNodeName(nodeName, 'spec.nodeName'));
  }
  if (nodeSelector !== undefined) {
    given.push('`nodeSelector`');
    errors.push(...validateOneTerm(nodeSelector));
  }
  for (const [name, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === true) given.push(`\`${name}\``);
    else if (value === false) {
      errors.push(invalidValue(`spec.${name}`, value, 'must be either unset or set to true'));
    }
  }
  const rule = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (given.length === 0) errors.push(requiredValue('spec', rule));
  else if (given.length > 1) {
    errors.push(invalidValue('spec', `{${given.join(', ')}}`, `${rule}, but multiple fields are set`));
  }
  return errors;
}

/** A selector must have one term, so that the selectors of several slices can be merged. */
function validateOneTerm(selector: NodeSelector): FieldError[] {
  const errors = validateNodeSelector(selector, 'spec.nodeSelector');
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length !== 1) {
    const shown = terms.length === 0 ? null : internalValue(listOf(NodeSelectorTerm), terms);
    const detail = 'must have exactly one node selector term';
    errors.push(invalidValue('spec.nodeSelector.nodeSelectorTerms', shown, detail));
  }
  return errors;
}

function setDefaults(slice: ResourceObject, clock = systemClock): void {
  for (const { taints } of specOf(slice).devices ?? []) {
    for (const taint of taints ?? []) taint.timeAdded ??= timestamp(clock);
  }
}

const listAttributes = ['ints', 'bools', 'strings', 'versions'];

/** Drops list attributes and node allocatable mappings, which belong to disabled features. */
function dropUnsupported(slice: ResourceObject): void {
  for (const device of specOf(slice).devices ?? []) {
    delete (device as Record<string, unknown>).nodeAllocatableResourceMappings;
    for (const attribute of Object.values(device.attributes ?? {})) {
      for (const name of listAttributes) delete (attribute as Record<string, unknown>)[name];
    }
  }
}

export const resourceSliceRules: Partial<ResourceRules> = {
  setDefaults,
  validate: (slice) => validate(specOf(slice)),
  validateUpdate: (next, oldObject) => validate(specOf(next), specOf(oldObject)),
  prepareCreate: dropUnsupported,
  prepareUpdate: dropUnsupported,
};
