import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from '../reference-types.ts';
import type { Errors } from './field-checks.ts';

/** The supported fields differ between environment variables and files. */
export type FieldTarget = 'variable' | 'file';

const supportedFields: Readonly<Record<FieldTarget, readonly string[]>> = {
  variable: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
  ],
  file: ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
};

const knownFields: ReadonlySet<string> = new Set([
  ...supportedFields.variable,
  ...supportedFields.file,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

const supportedResources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const byteDivisors = '1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei'.split(' ');
const cpuDivisors = ['1m', '1'];

/** `metadata.labels['key']`. */
const subscripted = /^(.+?)\['(.*)'\]$/s;

export function validateFieldRef(
  reference: ObjectFieldSelector,
  field: string,
  { target, errors }: { readonly target: FieldTarget; readonly errors: Errors },
): void {
  const { apiVersion, fieldPath } = reference;
  if (!apiVersion) {
    errors.push(requiredValue(`${field}.apiVersion`));
    return;
  }
  if (!fieldPath) {
    errors.push(requiredValue(`${field}.fieldPath`));
    return;
  }
  const problem = conversionProblem(apiVersion, fieldPath);
  if (problem !== undefined) {
    errors.push(invalidValue(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${problem}`));
    return;
  }
  const match = subscripted.exec(fieldPath);
  if (match !== null) {
    const key = match[1] === 'metadata.annotations' ? match[2]!.toLowerCase() : match[2]!;
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(field, key, detail));
    return;
  }
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!supportedFields[target].includes(path)) {
    errors.push(notSupportedValue(`${field}.fieldPath`, path, supportedFields[target]));
  }
}

function conversionProblem(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const match = subscripted.exec(fieldPath);
  if (match !== null) {
    if (match[1] === 'metadata.annotations' || match[1] === 'metadata.labels') return undefined;
    return `field label does not support subscript: ${fieldPath}`;
  }
  // `spec.host` is the original name of `spec.nodeName`.
  if (fieldPath === 'spec.host' || knownFields.has(fieldPath)) return undefined;
  return `field label not supported: ${fieldPath}`;
}

export function validateResourceFieldRef(
  reference: ResourceFieldSelector,
  field: string,
  { target, errors }: { readonly target: FieldTarget; readonly errors: Errors },
): void {
  const { containerName, resource = '', divisor = '0' } = reference;
  if (target === 'file' && !containerName) errors.push(requiredValue(`${field}.containerName`));
  else if (resource === '') errors.push(requiredValue(`${field}.resource`));
  else if (!supportedResources.includes(resource) && !isHugePages(resource)) {
    errors.push(notSupportedValue(`${field}.resource`, resource, supportedResources));
  }
  if (divisor !== '0') validateDivisor(resource, divisor, { field: `${field}.divisor`, errors });
}

function isHugePages(resource: string): boolean {
  return resource.startsWith('limits.hugepages-') || resource.startsWith('requests.hugepages-');
}

function validateDivisor(
  resource: string,
  divisor: string,
  { field, errors }: { readonly field: string; readonly errors: Errors },
): void {
  const kind = resource.slice(resource.indexOf('.') + 1);
  if (kind === 'cpu') {
    if (cpuDivisors.includes(divisor)) return;
    errors.push(invalidValue(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
    return;
  }
  const name = byteResourceName(resource, kind);
  if (name === undefined || byteDivisors.includes(divisor)) return;
  const detail = `only divisor's values ${byteDivisors.join(', ')} are supported with the ${name} resource`;
  errors.push(invalidValue(field, resource, detail));
}

function byteResourceName(resource: string, kind: string): string | undefined {
  if (kind === 'memory') return 'memory';
  if (kind === 'ephemeral-storage') return 'local ephemeral storage';
  return isHugePages(resource) ? 'hugepages' : undefined;
}
