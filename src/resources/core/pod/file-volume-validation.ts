import { forbiddenValue, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import type { DownwardAPIVolumeFile, ProjectedVolumeSource, VolumeProjection } from '../projected-volume-types.ts';
import type { KeyToPath, LocalObjectReference } from '../reference-types.ts';
import type { Volume } from '../volume-types.ts';
import { checkFileMode, checkNonReservedPath, checkPresent, type Errors } from './field-checks.ts';
import { validateFieldRef, validateResourceFieldRef } from './field-reference-validation.ts';
import { validatePodCertificateSource, validateTrustBundleSource } from './identity-volume-validation.ts';

// Volumes whose files are generated from API objects.

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

export function validateSecretVolume(secret: NonNullable<Volume['secret']>, field: string, errors: Errors): void {
  checkPresent(secret.secretName, `${field}.secretName`, errors);
  checkFileMode(secret.defaultMode, `${field}.defaultMode`, errors);
  validateItems(secret.items, `${field}.items`, errors);
}

export function validateConfigMapVolume(
  configMap: NonNullable<Volume['configMap']>,
  field: string,
  errors: Errors,
): void {
  checkPresent(configMap.name, `${field}.name`, errors);
  checkFileMode(configMap.defaultMode, `${field}.defaultMode`, errors);
  validateItems(configMap.items, `${field}.items`, errors);
}

function validateItems(items: readonly KeyToPath[] | undefined, field: string, errors: Errors): void {
  for (const [index, item] of (items ?? []).entries()) validateItem(item, `${field}[${index}]`, errors);
}

function validateItem({ key, path, mode }: KeyToPath, field: string, errors: Errors): void {
  checkPresent(key, `${field}.key`, errors);
  if (checkPresent(path, `${field}.path`, errors)) checkNonReservedPath(path, `${field}.path`, errors);
  checkFileMode(mode, `${field}.mode`, errors);
}

export function validateDownwardVolume(
  volume: NonNullable<Volume['downwardAPI']>,
  field: string,
  errors: Errors,
): void {
  checkFileMode(volume.defaultMode, `${field}.defaultMode`, errors);
  for (const file of volume.items ?? []) validateDownwardFile(file, field, errors);
}

/** As in kube-apiserver, the paths of the errors do not contain the index of the file. */
function validateDownwardFile(file: DownwardAPIVolumeFile, field: string, errors: Errors): void {
  const { path, fieldRef, resourceFieldRef, mode } = file;
  if (checkPresent(path, `${field}.path`, errors)) checkNonReservedPath(path, `${field}.path`, errors);
  if (fieldRef !== undefined) {
    validateFieldRef(fieldRef, `${field}.fieldRef`, { target: 'file', errors });
    if (resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalidValue(field, 'resource', detail));
    }
  } else if (resourceFieldRef !== undefined) {
    validateResourceFieldRef(resourceFieldRef, `${field}.resourceFieldRef`, { target: 'file', errors });
  } else {
    errors.push(requiredValue(field, 'one of fieldRef and resourceFieldRef is required'));
  }
  checkFileMode(mode, `${field}.mode`, errors);
}

export function validateProjectedVolume(projected: ProjectedVolumeSource, field: string, errors: Errors): void {
  checkFileMode(projected.defaultMode, `${field}.defaultMode`, errors);
  const projection = new ProjectionValidation(field, errors);
  for (const [index, source] of (projected.sources ?? []).entries()) {
    projection.validate(source, `${field}.sources[${index}]`);
  }
}

/** Validates the sources of one projected volume. No two sources may write the same file. */
class ProjectionValidation {
  readonly #field: string;
  readonly #errors: Errors;
  readonly #paths = new Set<string>();

  constructor(field: string, errors: Errors) {
    this.#field = field;
    this.#errors = errors;
  }

  validate(source: VolumeProjection, field: string): void {
    const errors = this.#errors;
    const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
    if (secret !== undefined) this.#keys(secret, `${field}.secret`);
    if (configMap !== undefined) this.#keys(configMap, `${field}.configMap`);
    if (downwardAPI !== undefined) {
      for (const file of downwardAPI.items ?? []) {
        validateDownwardFile(file, `${field}.downwardAPI`, errors);
        this.#claimPath(file.path, file.path);
      }
    }
    if (serviceAccountToken !== undefined) {
      this.#token(serviceAccountToken, `${field}.serviceAccountToken`);
    }
    if (clusterTrustBundle !== undefined) {
      const at = `${field}.clusterTrustBundlePEM`;
      validateTrustBundleSource(clusterTrustBundle, at, errors);
      const { path } = clusterTrustBundle;
      if (checkPresent(path, `${at}.path`, errors)) this.#nonReservedPath(path, `${at}.path`);
    }
    if (podCertificate !== undefined) {
      const at = `${field}.podCertificate`;
      validatePodCertificateSource(podCertificate, at, errors);
      for (const name of ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const) {
        if (podCertificate[name]) this.#nonReservedPath(podCertificate[name], `${at}.${name}`);
      }
    }
    if (Object.values(source).filter((one) => one !== undefined).length > 1) {
      errors.push(forbiddenValue(field, 'may not specify more than 1 volume type per source'));
    }
  }

  #nonReservedPath(path: string, field: string): void {
    checkNonReservedPath(path, field, this.#errors);
    this.#claimPath(path, path);
  }

  #keys(source: LocalObjectReference & { items?: KeyToPath[] }, field: string): void {
    checkPresent(source.name, `${field}.name`, this.#errors);
    for (const [index, item] of (source.items ?? []).entries()) {
      validateItem(item, `${field}.items[${index}]`, this.#errors);
      this.#claimPath(item.path, source.name);
    }
  }

  #token({ expirationSeconds, path }: NonNullable<VolumeProjection['serviceAccountToken']>, field: string): void {
    const seconds = expirationSeconds ?? 0;
    const at = `${field}.expirationSeconds`;
    if (seconds < minTokenSeconds) {
      this.#errors.push(invalidValue(at, seconds, 'may not specify a duration less than 10 minutes'));
    } else if (seconds > maxTokenSeconds) {
      this.#errors.push(invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
    }
    const pathField = `${this.#field}.path`;
    if (checkPresent(path, pathField, this.#errors)) checkNonReservedPath(path, pathField, this.#errors);
  }

  #claimPath(path: string | undefined, shown: string | undefined): void {
    if (!path) return;
    if (this.#paths.has(path)) {
      this.#errors.push(invalidValue(this.#field, shown ?? '', 'conflicting duplicate paths'));
    }
    this.#paths.add(path);
  }
}
