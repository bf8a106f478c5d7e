import { duplicateValue, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import type { PodSpec } from '../pod-types.ts';
import type { Errors } from './field-checks.ts';

const pattern = String.raw`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;
const syntax = new RegExp(pattern);
const maxNameLength = 253;
const messageQueuePrefixes = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'];

export function validateSysctls(
  sysctls: readonly { readonly name?: string }[],
  field: string,
  { spec, errors }: { readonly spec: PodSpec; readonly errors: Errors },
): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of sysctls.entries()) {
    const path = `${field}[${index}].name`;
    if (name === '') errors.push(requiredValue(path));
    else if (name.length > maxNameLength || !syntax.test(name)) {
      const detail = `must have at most ${maxNameLength} characters and match regex ${pattern}`;
      errors.push(invalidValue(path, name, detail));
    } else if (names.has(name)) errors.push(duplicateValue(path, name));
    const hostField = hostNamespaceField(dotted(name), spec);
    if (hostField !== undefined)
      errors.push(invalidValue(path, name, `may not be specified when '${hostField}' is true`));
    names.add(name);
  }
}

/** Normalizes a name: with slashes as separators, dots are part of the segments. */
function dotted(name: string): string {
  const first = name.search(/[./]/);
  if (first === -1 || name[first] === '.') return name;
  return name.replace(/[./]/g, (character) => (character === '/' ? '.' : '/'));
}

/** A pod that shares a namespace with the node cannot change the sysctls of that namespace. */
function hostNamespaceField(name: string, { hostNetwork, hostIPC }: PodSpec): string | undefined {
  if (hostNetwork && name.startsWith('net.')) return 'hostNetwork';
  const isQueue = name === 'kernel.sem' || messageQueuePrefixes.some((prefix) => name.startsWith(prefix));
  return hostIPC && isQueue ? 'hostIPC' : undefined;
}
