import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dnsLabelErrors, pathSegmentErrors } from '../../meta/names.ts';
import { isPositiveQuantity } from '../validation/quantities.ts';
import { validateContainerResourceName } from '../validation/resource-names.ts';
import type { MetricIdentifier, MetricSpec, MetricTarget } from './horizontal-pod-autoscaler-v2-types.ts';
import { validateReference } from './reference-validation.ts';

/** The sources in lookup order. Only the first one that is set is validated. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type Source = (typeof sources)[number];

const sourceOfType: Readonly<Record<string, Source>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const types = Object.keys(sourceOfType);
const targetTypes = ['Utilization', 'Value', 'AverageValue'];

export function validateMetric(metric: MetricSpec, path: string): FieldError[] {
  const { type = '' } = metric;
  const errors: FieldError[] = [];
  const expected = Object.hasOwn(sourceOfType, type) ? sourceOfType[type] : undefined;
  if (type === '') errors.push(requiredValue(`${path}.type`, 'must specify a metric source type'));
  if (expected === undefined) errors.push(notSupportedValue(`${path}.type`, type, types));
  const present = sources.filter((source) => metric[source] !== undefined);
  if (present[0] !== undefined) errors.push(...sourceErrors[present[0]](metric, `${path}.${present[0]}`));
  if (expected === undefined) {
    // Two checks of kube-apiserver report this, so the error appears twice.
    errors.push(notSupportedValue(`${path}.type`, type, types));
  } else if (metric[expected] === undefined) {
    errors.push(requiredValue(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length !== 1) {
    for (const source of present) {
      if (source === expected) continue;
      errors.push(forbiddenValue(`${path}.${source}`, 'must populate the given metric source only'));
    }
  }
  return errors;
}

const sourceErrors: Readonly<Record<Source, (metric: MetricSpec, path: string) => FieldError[]>> = {
  object({ object: { describedObject, metric, target } = {} }, path) {
    return [
      ...validateReference(describedObject, `${path}.describedObject`, { anyGroup: true }),
      ...identifierErrors(metric, `${path}.metric`),
      ...targetErrors(target, `${path}.target`),
      ...rawTargetErrors(target, `${path}.target`, 'must set either a target value or averageValue'),
    ];
  },

  external({ external: { metric, target } = {} }, path) {
    const missing = 'must set either a target value for metric or a per-pod target';
    const errors = [
      ...identifierErrors(metric, `${path}.metric`),
      ...targetErrors(target, `${path}.target`),
      ...rawTargetErrors(target, `${path}.target`, missing),
    ];
    if (target?.value !== undefined && target.averageValue !== undefined) {
      const detail = 'may not set both a target value for metric and a per-pod target';
      errors.push(forbiddenValue(`${path}.target.value`, detail));
    }
    return errors;
  },

  pods({ pods: { metric, target } = {} }, path) {
    const errors = [...identifierErrors(metric, `${path}.metric`), ...targetErrors(target, `${path}.target`)];
    if (target?.averageValue === undefined) {
      errors.push(requiredValue(`${path}.target.averageValue`, 'must specify a positive target averageValue'));
    }
    return errors;
  },

  resource({ resource: { name, target } = {} }, path) {
    const errors = name ? [] : [requiredValue(`${path}.name`, 'must specify a resource name')];
    return [...errors, ...resourceTargetErrors(target, `${path}.target`)];
  },

  containerResource({ containerResource: { name, container, target } = {} }, path) {
    return [
      ...(name
        ? validateContainerResourceName(name, `${path}.name`)
        : [requiredValue(`${path}.name`, 'must specify a resource name')]),
      ...(container
        ? dnsLabelErrors(container).map((detail) => invalidValue(`${path}.container`, container, detail))
        : [requiredValue(`${path}.container`, 'must specify a container')]),
      ...resourceTargetErrors(target, `${path}.target`),
    ];
  },
};

function identifierErrors({ name = '' }: MetricIdentifier = {}, path: string): FieldError[] {
  if (name === '') return [requiredValue(`${path}.name`, 'must specify a metric name')];
  return pathSegmentErrors(name).map((detail) => invalidValue(`${path}.name`, name, detail));
}

function targetErrors(target: MetricTarget = {}, path: string): FieldError[] {
  const { type = '', value, averageValue, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredValue(`${path}.type`, 'must specify a metric target type'));
  if (!targetTypes.includes(type)) {
    errors.push(invalidValue(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  if (value !== undefined && !isPositiveQuantity(value)) {
    errors.push(invalidValue(`${path}.value`, value, 'must be positive'));
  }
  if (averageValue !== undefined && !isPositiveQuantity(averageValue)) {
    errors.push(invalidValue(`${path}.averageValue`, averageValue, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalidValue(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

function rawTargetErrors({ value, averageValue }: MetricTarget = {}, path: string, missing: string): FieldError[] {
  return value === undefined && averageValue === undefined ? [requiredValue(`${path}.averageValue`, missing)] : [];
}

function resourceTargetErrors(target: MetricTarget = {}, path: string): FieldError[] {
  const errors = targetErrors(target, path);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(requiredValue(`${path}.averageUtilization`, detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbiddenValue(`${path}.averageValue`, detail));
  }
  return errors;
}
