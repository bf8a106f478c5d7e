import { systemClock, timestamp } from '../../meta/clock.ts';
import { type FieldError, tooMany } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { Condition } from '../../schema/meta-types.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { validateLabelName, validatePoolName } from './device-names.ts';
import type { DeviceTaintRuleSpec } from './device-taint-rule-types.ts';
import { validateTaint } from './device-validation.ts';

const maxConditions = 8;

const specOf = ({ spec }: ResourceObject): DeviceTaintRuleSpec => (spec as DeviceTaintRuleSpec | undefined) ?? {};

function setDefaults(rule: ResourceObject, clock = systemClock): void {
  const { taint } = specOf(rule);
  if (taint !== undefined) taint.timeAdded ??= timestamp(clock);
}

function validate(rule: ResourceObject): FieldError[] {
  const { deviceSelector = {}, taint = {} } = specOf(rule);
  const { driver, pool, device } = deviceSelector;
  const field = 'spec.deviceSelector';
  return [
    ...(driver === undefined ? [] : validateDriverName(driver, `${field}.driver`)),
    ...(pool === undefined ? [] : validatePoolName(pool, `${field}.pool`)),
    ...(device === undefined ? [] : validateLabelName(device, `${field}.device`)),
    ...validateTaint(taint, 'spec.taint'),
  ];
}

/** Resets the time when the effect changes, unless the client sets it. */
function renewTime(next: ResourceObject, oldObject: ResourceObject, clock = systemClock): void {
  const { taint } = specOf(next);
  const before = specOf(oldObject).taint;
  if (taint === undefined || taint.effect === before?.effect || taint.timeAdded !== before?.timeAdded) return;
  next.spec = { ...specOf(next), taint: { ...taint, timeAdded: timestamp(clock) } };
}

function validateStatus({ status }: ResourceObject): FieldError[] {
  const { conditions = [] } = (status as { readonly conditions?: readonly Condition[] } | undefined) ?? {};
  const errors = validateConditions(conditions, 'status.conditions');
  if (conditions.length > maxConditions) errors.push(tooMany('status.conditions', conditions.length, maxConditions));
  return errors;
}

export const deviceTaintRuleRules: Partial<ResourceRules> = {
  setDefaults,
  validate,
  validateStatus,
  prepareUpdate: renewTime,
  prepareStatusUpdate: keepStoredMetadata,
};
