import {
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
  tooMany,
} from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateNodeSelector } from '../validation/node-selectors.ts';
import { parseSemanticVersion } from '../validation/semantic-version.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validateCapacity } from './capacity-policy.ts';
import { validateLabelName, validateQualifiedName } from './device-names.ts';
import { taintEffects } from './device-request-validation.ts';
import { validateEach, validateSet } from './list-checks.ts';
import { type Device, DeviceAttribute, type DeviceTaint } from './resource-slice-types.ts';

const maxProperties = 32;
const maxTaints = 16;
const maxConsumptions = 2;
const maxCounters = 32;
const maxValueLength = 64;
/** The length of a domain, a slash and a name. Error messages shorten longer keys. */
const maxKeyLength = 63 + 1 + 32;

interface DeviceOptions {
  /** Whether the slice leaves the node selection to its devices. */
  readonly perDeviceNodeSelection: boolean;
}

export function validateDevice(device: Device, field: string, options: DeviceOptions): FieldError[] {
  const { name = '', attributes = {}, capacity = {}, taints, consumesCounters } = device;
  const errors = validateLabelName(name, `${field}.name`);
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  if (properties > maxProperties) {
    const detail = `the total number of attributes and capacities must not exceed ${maxProperties}`;
    errors.push(invalidValue(field, properties, detail));
  }
  for (const [key, attribute] of Object.entries(attributes)) {
    errors.push(...validateQualifiedName(key, `${field}.attributes`));
    errors.push(...validateAttribute(attribute, `${field}.attributes[${shortened(key)}]`));
  }
  for (const [key, value] of Object.entries(capacity)) {
    errors.push(...validateQualifiedName(key, `${field}.capacity`));
    const at = `${field}.capacity[${shortened(key)}]`;
    errors.push(...validateCapacity(value, at, { isShared: device.allowMultipleAllocations === true }));
  }
  errors.push(
    ...validateEach(taints, `${field}.taints`, { maximum: maxTaints, check: validateTaint }),
    ...validateSet(consumesCounters, `${field}.consumesCounters`, {
      maximum: maxConsumptions,
      check: ({ counterSet = '', counters }, at) => [
        ...validateCounterSetName(counterSet, `${at}.counterSet`),
        ...validateCounters(counters, `${at}.counters`),
      ],
      key: ({ counterSet = '' }) => counterSet,
    }),
    ...validateNodes(device, field, options),
    ...validateBindingConditions(device, field),
  );
  return errors;
}

function shortened(key: string): string {
  if (key.length <= maxKeyLength) return key;
  const remaining = maxKeyLength - 3;
  return `${key.slice(0, Math.ceil(remaining / 2))}...${key.slice(-Math.floor(remaining / 2))}`;
}

function validateAttribute(attribute: DeviceAttribute, field: string): FieldError[] {
  const { int, bool, string, version } = attribute;
  const errors: FieldError[] = [];
  if (string !== undefined) errors.push(...validateLength(string, `${field}.string`));
  if (version !== undefined) {
    if (parseSemanticVersion(version) === undefined) {
      const detail = 'must be a string compatible with semver.org spec 2.0.0';
      errors.push(invalidValue(`${field}.version`, version, detail));
    }
    errors.push(...validateLength(version, `${field}.version`));
  }
  const given = [int, bool, string, version].filter((value) => value !== undefined).length;
  if (given !== 1) {
    const shown = given === 0 ? '' : internalValue(DeviceAttribute, attribute);
    errors.push(invalidValue(field, shown, 'exactly one value must be specified'));
  }
  return errors;
}

function validateLength(value: string, field: string): FieldError[] {
  return Buffer.byteLength(value) > maxValueLength ? [tooLong(field, maxValueLength)] : [];
}

export function validateTaint({ key = '', value = '', effect = '' }: DeviceTaint, field: string): FieldError[] {
  const errors = labelKeyErrors(key).map((detail) => invalidValue(`${field}.key`, key, detail));
  for (const detail of labelValueErrors(value)) errors.push(invalidValue(`${field}.value`, value, detail));
  if (effect === '') errors.push(requiredValue(`${field}.effect`));
  else if (!taintEffects.includes(effect)) errors.push(notSupportedValue(`${field}.effect`, effect, taintEffects));
  return errors;
}

export function validateCounterSetName(name: string, field: string): FieldError[] {
  return name === '' ? [requiredValue(field)] : validateLabelName(name, field);
}

export function validateCounters(counters: Readonly<Record<string, unknown>> | undefined, field: string): FieldError[] {
  const names = Object.keys(counters ?? {});
  if (names.length === 0) return [requiredValue(field)];
  if (names.length > maxCounters) return [tooMany(field, names.length, maxCounters)];
  return names.flatMap((name) => validateLabelName(name, field));
}

function validateNodes(
  { nodeName, nodeSelector, allNodes }: Device,
  field: string,
  { perDeviceNodeSelection }: DeviceOptions,
): FieldError[] {
  if (!perDeviceNodeSelection) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return [invalidValue(field, null, detail)];
  }
  const errors: FieldError[] = [];
  const given: string[] = [];
  if (nodeName === '') errors.push(invalidValue(`${field}.nodeName`, nodeName, 'must not be empty'));
  else if (nodeName !== undefined) {
    given.push('`nodeName`');
    errors.push(...validateNodeName(nodeName, `${field}.nodeName`));
  }
  if (nodeSelector !== undefined) {
    given.push('`nodeSelector`');
    errors.push(...validateNodeSelector(nodeSelector, `${field}.nodeSelector`));
  }
  if (allNodes === true) given.push('`allNodes`');
  else if (allNodes === false) {
    errors.push(invalidValue(`${field}.allNodes`, allNodes, 'must be either unset or set to true'));
  }
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (given.length === 0) errors.push(requiredValue(field, rule));
  else if (given.length > 1) errors.push(invalidValue(field, `{${given.join(', ')}}`, rule));
  return errors;
}

export function validateNodeName(name: string, field: string): FieldError[] {
  return dnsSubdomainErrors(name).map((detail) => invalidValue(field, name, detail));
}
