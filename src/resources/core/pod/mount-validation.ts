import { forbiddenValue, invalidValue, notFoundValue, notSupportedValue } from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { type Container, VolumeMount } from '../container-types.ts';
import { checkDescendingPath, checkPresent, type Errors, hasBacksteps } from './field-checks.ts';
import type { UsableVolumes } from './volume-validation.ts';

const propagations = enumOf(VolumeMount, 'mountPropagation');
const recursions = ['Disabled', 'Enabled', 'IfPossible'];

interface MountContext {
  readonly volumes: UsableVolumes;
  readonly errors: Errors;
}

/** Validates volume mounts and volume devices, which must not overlap. */
export function validateMounts(container: Container, field: string, { volumes, errors }: MountContext): void {
  const { volumeMounts, volumeDevices } = container;
  const directories = { volumes, errors, others: volumeDevices === undefined ? noUses : attached(volumeDevices) };
  if (volumeMounts !== undefined) validateDirectories(container, `${field}.volumeMounts`, directories);
  if (volumeDevices === undefined) return;
  const devices = { volumes, errors, others: volumeMounts === undefined ? noUses : mounted(volumeMounts) };
  validateDevices(container, `${field}.volumeDevices`, devices);
}

interface Uses {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

const noUses: Uses = { names: new Set(), paths: new Set() };

function mounted(mounts: readonly VolumeMount[]): Uses {
  return {
    names: new Set(mounts.map(({ name = '' }) => name)),
    paths: new Set(mounts.map(({ mountPath = '' }) => mountPath)),
  };
}

function attached(devices: NonNullable<Container['volumeDevices']>): Uses {
  return {
    names: new Set(devices.map(({ name = '' }) => name)),
    paths: new Set(devices.map(({ devicePath = '' }) => devicePath)),
  };
}

interface OverlapContext extends MountContext {
  readonly others: Uses;
}

function validateDirectories(container: Container, field: string, { volumes, errors, others }: OverlapContext): void {
  const paths = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const { name = '', mountPath = '' } = mount;
    const path = `${field}[${index}]`;
    checkPresent(name, `${path}.name`, errors);
    if (!volumes.has(name)) errors.push(notFoundValue(`${path}.name`, name));
    checkPresent(mountPath, `${path}.mountPath`, errors);
    if (paths.has(mountPath)) errors.push(invalidValue(`${path}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (others.names.has(name)) {
      errors.push(invalidValue(`${path}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (others.paths.has(mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices';
      errors.push(invalidValue(`${path}.mountPath`, mountPath, detail));
    }
    validateSubPaths(mount, { field, path, errors });
    validatePropagation(mount, container, { field: `${field}.mountPropagation`, errors });
    validateRecursion(mount, `${field}.recursiveReadOnly`, errors);
  }
}

/** As in kube-apiserver, some of these errors do not contain the index of the mount. */
function validateSubPaths(
  { subPath, subPathExpr }: VolumeMount,
  { field, path, errors }: { readonly field: string; readonly path: string; readonly errors: Errors },
): void {
  if (subPath) checkDescendingPath(subPath, `${field}.subPath`, errors);
  if (!subPathExpr) return;
  if (subPath) {
    const detail = 'subPathExpr and subPath are mutually exclusive';
    errors.push(invalidValue(`${path}.subPathExpr`, subPathExpr, detail));
  }
  checkDescendingPath(subPathExpr, `${field}.subPathExpr`, errors);
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: Container,
  { field, errors }: { readonly field: string; readonly errors: Errors },
): void {
  if (mountPropagation === undefined) return;
  if (!propagations.includes(mountPropagation)) {
    errors.push(notSupportedValue(field, mountPropagation, propagations));
  }
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged) {
    const detail = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(forbiddenValue(field, detail));
  }
}

function validateRecursion(mount: VolumeMount, field: string, errors: Errors): void {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return;
  if (!recursions.includes(recursiveReadOnly)) {
    errors.push(notSupportedValue(field, recursiveReadOnly, recursions));
    return;
  }
  if (!readOnly) errors.push(forbiddenValue(field, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbiddenValue(field, 'may only be specified when mountPropagation is None or not specified'));
  }
}

function validateDevices(container: Container, field: string, { volumes, errors, others }: OverlapContext): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name = '', devicePath = '' }] of (container.volumeDevices ?? []).entries()) {
    const path = `${field}[${index}]`;
    checkPresent(name, `${path}.name`, errors);
    if (names.has(name)) errors.push(invalidValue(`${path}.name`, name, 'must be unique'));
    const volume = volumes.get(name);
    if (volume === undefined) errors.push(notFoundValue(`${path}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalidValue(`${path}.name`, name, detail));
    }
    checkPresent(devicePath, `${path}.devicePath`, errors);
    if (paths.has(devicePath)) errors.push(invalidValue(`${path}.devicePath`, devicePath, 'must be unique'));
    if (hasBacksteps(devicePath)) {
      errors.push(invalidValue(`${path}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else {
      paths.add(devicePath);
    }
    if (others.names.has(name)) {
      errors.push(invalidValue(`${path}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (others.paths.has(devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalidValue(`${path}.devicePath`, devicePath, detail));
    }
    if (name !== '') names.add(name);
  }
}
