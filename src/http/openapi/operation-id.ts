import type { GroupVersion } from '../../meta/group-version.ts';

export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** `RbacAuthorization` for `rbac.authorization.k8s.io`, `Core` for the core group. */
export function groupWord(group: string): string {
  if (group === '') return 'Core';
  return group
    .replace(/\.k8s\.io$/, '')
    .replace(/^\d/, '')
    .split(/[.-]/)
    .map(capitalized)
    .join('');
}

/** `rbacAuthorization`, or `rbacAuthorization_v1` with a version. Generated clients group operations by it. */
export function tagOf({ group, version }: { group: string; version?: string }): string {
  const word = groupWord(group);
  const tag = word.slice(0, 1).toLowerCase() + word.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** The components of an operation ID, which generated clients turn into function names. */
export interface OperationIdFields extends GroupVersion {
  readonly verb: string;
  /** The text between version and kind: `Collection`, or the method of a connection. */
  readonly infix?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly suffix?: string;
}

export function operationId({ verb, group, version, infix, namespaced, kind, suffix }: OperationIdFields): string {
  const place = namespaced ? 'Namespaced' : '';
  const rest = capitalized(`${infix ?? ''}${place}${kind}${suffix ?? ''}`);
  return `${verb}${groupWord(group)}${capitalized(version)}${rest}`;
}
