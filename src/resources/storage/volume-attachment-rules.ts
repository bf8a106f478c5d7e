import { type FieldError, forbiddenValue, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { setVolumeSpecDefaults } from '../core/persistent-volume/persistent-volume-defaults.ts';
import { validateInlineVolumeSpec } from '../core/persistent-volume/persistent-volume-validation.ts';
import { isSameValue } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { keepStoredMetadata } from './keep-stored-metadata.ts';
import type { VolumeAttachmentSource, VolumeAttachmentStatus } from './volume-attachment-types.ts';
import { VolumeAttachmentSpec } from './volume-attachment-types.ts';

const maxMetadataBytes = 256 * 1024;
const maxMessageLength = 1024;

function specOf({ spec }: ResourceObject): VolumeAttachmentSpec {
  return (spec as VolumeAttachmentSpec | undefined) ?? {};
}

function validate(attachment: ResourceObject): FieldError[] {
  const { attacher = '', source = {}, nodeName = '' } = specOf(attachment);
  const errors = validateDriverName(attacher, 'spec.attacher');
  errors.push(...validateSource(source, 'spec.source'));
  for (const detail of dnsSubdomainErrors(nodeName)) errors.push(invalidValue('spec.nodeName', nodeName, detail));
  errors.push(...validateStatus(attachment));
  const name = source.persistentVolumeName;
  if (name === undefined) return errors;
  for (const detail of dnsSubdomainErrors(name)) {
    errors.push(invalidValue('spec.source.persistentVolumeName', name, detail));
  }
  return errors;
}

function validateSource(
  { persistentVolumeName: name, inlineVolumeSpec: inline }: VolumeAttachmentSource,
  field: string,
) {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (name === undefined && inline === undefined) return [requiredValue(field, detail)];
  if (name !== undefined && inline !== undefined) return [forbiddenValue(field, detail)];
  if (inline !== undefined) return validateInlineVolumeSpec(inline, `${field}.inlineVolumeSpec`);
  if (name !== '') return [];
  return [requiredValue(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
}

function validateStatus({ status }: ResourceObject): FieldError[] {
  const { attachmentMetadata, attachError, detachError } = (status as VolumeAttachmentStatus | undefined) ?? {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(attachmentMetadata ?? {})) {
    if (key === '') errors.push(invalidValue('status.attachmentMetadata', key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > maxMetadataBytes) errors.push(tooLong('status.attachmentMetadata', maxMetadataBytes));
  for (const [name, error] of [
    ['attachError', attachError],
    ['detachError', detachError],
  ] as const) {
    if (Buffer.byteLength(error?.message ?? '') > maxMessageLength) {
      errors.push(tooLong(`status.${name}.message`, maxMessageLength));
    }
    const code = error?.errorCode;
    if (code !== undefined && code < 0) {
      errors.push(invalidValue(`status.${name}.errorCode`, code, 'must be between 0 and 2147483647, inclusive'));
    }
  }
  return errors;
}

function validateChange(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  if (isSameValue(next.spec, oldObject.spec)) return [];
  return [invalidValue('spec', internalValue(VolumeAttachmentSpec, specOf(next)), 'field is immutable')];
}

export const volumeAttachmentRules: Partial<ResourceRules> = {
  setDefaults(attachment) {
    const inline = specOf(attachment).source?.inlineVolumeSpec;
    if (inline !== undefined) setVolumeSpecDefaults(inline);
  },
  updateChecks: ['metadata', 'object', 'change'],
  statusChecks: ['metadata', 'object', 'change'],
  validate,
  validateUpdate: validateChange,
  validateStatus: validateChange,
  prepareStatusUpdate: keepStoredMetadata,
};
