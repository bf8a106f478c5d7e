import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateLabels } from '../../meta/validate-labels.ts';
import { roundResources } from '../core/resource-list.ts';
import { Toleration } from '../core/scheduling-types.ts';
import { internalValue } from '../validation/internal-value.ts';
import {
  isHugePagesResource,
  validateContainerResourceName,
  validateResourceQuantity,
} from '../validation/resource-names.ts';
import { validateTolerations } from '../validation/tolerations.ts';
import type { RuntimeClass } from './runtime-class-types.ts';

/** Deprecated node labels and their replacements. */
const deprecatedLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
]);

export const runtimeClassRules = {
  finalizers: 'any' as const,

  setDefaults(object: ResourceObject): void {
    roundResources((object as RuntimeClass).overhead?.podFixed);
  },

  updateChecks: ['metadata', 'object', 'metadataChange', 'change'] as const,

  validate(object: ResourceObject): FieldError[] {
    const { handler = '', overhead, scheduling } = object as RuntimeClass;
    return [
      ...handlerErrors(handler),
      ...overheadErrors(overhead?.podFixed ?? {}),
      ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
      ...tolerationErrors(scheduling?.tolerations ?? [], 'scheduling.tolerations'),
    ];
  },

  validateUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
    const { handler = '' } = next as RuntimeClass;
    return handler === (oldObject as RuntimeClass).handler
      ? []
      : [invalidValue('handler', handler, 'field is immutable')];
  },

  warnings(object: ResourceObject): string[] {
    const { nodeSelector = {} } = (object as RuntimeClass).scheduling ?? {};
    return Object.keys(nodeSelector).flatMap((label) => {
      const advice = deprecatedLabels.get(label);
      return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
    });
  },
};

/** Tolerations that differ only in their time are duplicates. */
function tolerationErrors(tolerations: readonly Toleration[], field: string): FieldError[] {
  const errors = validateTolerations(tolerations, field);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const meaning = JSON.stringify([key, operator, value, effect]);
    if (seen.has(meaning)) errors.push(duplicateValue(`${field}[${index}]`, internalValue(Toleration, toleration)));
    seen.add(meaning);
  }
  return errors;
}

function handlerErrors(handler: string): FieldError[] {
  if (handler === '') return [requiredValue('handler')];
  return dnsLabelErrors(handler).map((detail) => invalidValue('handler', handler, detail));
}

/** The overhead of a runtime is validated as container limits, with their field paths. */
function overheadErrors(amounts: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(amounts);
  const errors = names.flatMap((name) => {
    const field = `overhead.limits[${name}]`;
    return [...validateContainerResourceName(name, field), ...validateResourceQuantity(name, amounts[name]!, field)];
  });
  if (names.some(isHugePagesResource) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbiddenValue('overhead', 'HugePages require cpu or memory'));
  }
  return errors;
}
