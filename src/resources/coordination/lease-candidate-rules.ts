import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { dataKeyErrors } from '../validation/data-keys.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { compareSemanticVersions, parseSemanticVersion } from '../validation/semantic-version.ts';
import type { LeaseCandidateSpec } from './lease-candidate-types.ts';

const oldestEmulation = 'OldestEmulationVersion';
const notVersion = 'must be a valid semantic version';

const specOf = ({ spec }: ResourceObject): LeaseCandidateSpec => (spec as LeaseCandidateSpec | undefined) ?? {};

function validate(object: ResourceObject): FieldError[] {
  const { leaseName = '', strategy = '' } = specOf(object);
  return [
    ...(leaseName === '' ? [requiredValue('spec.leaseName')] : []),
    ...validateVersions(specOf(object)),
    ...(strategy === '' ? [requiredValue('spec.strategy')] : validateStrategy(specOf(object))),
  ];
}

function validateVersions({ binaryVersion = '', emulationVersion = '' }: LeaseCandidateSpec): FieldError[] {
  const [binary, emulated] = [binaryVersion, emulationVersion].map(parseSemanticVersion);
  const errors: FieldError[] = [];
  if (emulationVersion !== '' && emulated === undefined) {
    errors.push(invalidValue('spec.emulationVersion', emulationVersion, notVersion));
  }
  if (binaryVersion === '') errors.push(requiredValue('spec.binaryVersion'));
  else if (binary === undefined) errors.push(invalidValue('spec.binaryVersion', binaryVersion, notVersion));
  if (binary && emulated && compareSemanticVersions(binary, emulated) < 0) {
    const detail = 'must be greater than or equal to `emulationVersion`';
    errors.push(invalidValue('spec.binaryVersion', binaryVersion, detail));
  }
  return errors;
}

function validateStrategy({ strategy = '', emulationVersion = '' }: LeaseCandidateSpec): FieldError[] {
  // kube-apiserver repeats the field name in this path.
  const field = 'spec.strategy.strategy';
  if (strategy === oldestEmulation) {
    if (parseSemanticVersion(emulationVersion) !== undefined) return [];
    const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
    return [requiredValue('spec.emulationVersion', detail)];
  }
  if (!strategy.includes('/')) return [notSupportedValue(field, strategy, [oldestEmulation])];
  return labelKeyErrors(strategy).map((detail) => invalidValue(field, strategy, detail));
}

export const leaseCandidateRules: Partial<ResourceRules> = {
  name: dataKeyErrors,
  finalizers: 'any',
  validate,
  validateUpdate: (next, oldObject) => [
    ...validate(next),
    ...validateImmutable(
      { next: specOf(next).leaseName ?? '', oldValue: specOf(oldObject).leaseName ?? '' },
      'spec.leaseName',
    ),
  ],
};
