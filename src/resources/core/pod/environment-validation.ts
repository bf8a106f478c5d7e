import { invalidValue, notFoundValue } from '../../../meta/field-error.ts';
import { dataKeyErrors } from '../../validation/data-keys.ts';
import type { EnvFromSource, EnvVar, EnvVarSource } from '../environment-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { FileKeySelector, LocalObjectReference, SecretKeySelector } from '../reference-types.ts';
import type { Volume } from '../volume-types.ts';
import {
  checkDnsLabel,
  checkPresent,
  checkSubdomain,
  checkUnreservedName,
  checkVariableName,
  type Errors,
} from './field-checks.ts';
import { validateFieldRef, validateResourceFieldRef } from './field-reference-validation.ts';

const tooManySources = 'may not have more than one field specified at a time';

export function validateVariables(variables: readonly EnvVar[], field: string, errors: Errors): void {
  for (let index = 0; index < variables.length; index++) {
    const variable = variables[index]!;
    const path = `${field}[${index}]`;
    if (checkPresent(variable.name, `${path}.name`, errors)) {
      checkVariableName(variable.name, `${path}.name`, errors);
    }
    if (variable.valueFrom !== undefined) validateSource(variable, `${path}.valueFrom`, errors);
  }
}

function validateSource({ value, valueFrom }: EnvVar, field: string, errors: Errors): void {
  const count = validateSourceFields(valueFrom!, field, errors);
  if (count === 0) {
    const fields = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalidValue(field, '', `must specify one of: ${fields}`));
  } else if (value) {
    errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1) {
    errors.push(invalidValue(field, '', tooManySources));
  }
}

/** Returns the number of sources that are set. */
function validateSourceFields(source: EnvVarSource, field: string, errors: Errors): number {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  let count = 0;
  if (fieldRef !== undefined) {
    count++;
    validateFieldRef(fieldRef, `${field}.fieldRef`, { target: 'variable', errors });
  }
  if (resourceFieldRef !== undefined) {
    count++;
    validateResourceFieldRef(resourceFieldRef, `${field}.resourceFieldRef`, { target: 'variable', errors });
  }
  if (configMapKeyRef !== undefined) {
    count++;
    validateKeyRef(configMapKeyRef, `${field}.configMapKeyRef`, errors);
  }
  if (secretKeyRef !== undefined) {
    count++;
    validateKeyRef(secretKeyRef, `${field}.secretKeyRef`, errors);
  }
  if (fileKeyRef !== undefined) {
    count++;
    validateFileKeyRef(fileKeyRef, `${field}.fileKeyRef`, errors);
  }
  return count;
}

function validateKeyRef({ name = '', key }: SecretKeySelector, field: string, errors: Errors): void {
  checkSubdomain(name, `${field}.name`, errors);
  if (!checkPresent(key, `${field}.key`, errors)) return;
  for (const detail of dataKeyErrors(key)) errors.push(invalidValue(`${field}.key`, key, detail));
}

function validateFileKeyRef({ volumeName, path, key }: FileKeySelector, field: string, errors: Errors): void {
  if (checkPresent(key, `${field}.key`, errors)) checkVariableName(key, `${field}.key`, errors);
  if (checkPresent(volumeName, `${field}.volumeName`, errors)) {
    checkDnsLabel(volumeName, `${field}.volumeName`, errors);
  }
  if (checkPresent(path, `${field}.path`, errors)) checkUnreservedName(path, `${field}.path`, errors);
}

/** A variable can be read from a file only if the volume of the file belongs to the pod. */
export function validateFileVolumes(spec: PodSpec, field: string, errors: Errors): void {
  const volumes = spec.volumes ?? [];
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [index, { env }] of (spec[kind] ?? []).entries()) {
      if (env !== undefined) validateVolumesOf(env, `${field}.${kind}[${index}].env`, { volumes, errors });
    }
  }
}

function validateVolumesOf(
  variables: readonly EnvVar[],
  field: string,
  { volumes, errors }: { readonly volumes: readonly Volume[]; readonly errors: Errors },
): void {
  for (const [index, { valueFrom }] of variables.entries()) {
    if (valueFrom?.fileKeyRef === undefined) continue;
    const { volumeName = '' } = valueFrom.fileKeyRef;
    const path = `${field}[${index}].valueFrom.fileKeyRef.volumeName`;
    const volume = volumes.find(({ name }) => name === volumeName);
    if (volume === undefined) errors.push(notFoundValue(path, volumeName));
    else if (volume.emptyDir === undefined) {
      errors.push(invalidValue(path, volumeName, 'referenced volume must be of type emptyDir'));
    }
  }
}

export function validateVariableSources(sources: readonly EnvFromSource[], field: string, errors: Errors): void {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const path = `${field}[${index}]`;
    if (prefix) checkVariableName(prefix, `${path}.prefix`, errors);
    if (configMapRef !== undefined) validateReference(configMapRef, `${path}.configMapRef.name`, errors);
    if (secretRef !== undefined) validateReference(secretRef, `${path}.secretRef.name`, errors);
    if (configMapRef === undefined && secretRef === undefined) {
      errors.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      errors.push(invalidValue(field, '', tooManySources));
    }
  }
}

function validateReference({ name }: LocalObjectReference, field: string, errors: Errors): void {
  if (checkPresent(name, field, errors)) checkSubdomain(name, field, errors);
}
