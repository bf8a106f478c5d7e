import type { SecuredContainer, SecuredPod, SecurityContext } from './secured-pod.ts';

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type SecurityCheck = (pod: SecuredPod) => Violation | undefined;

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** `container "a"` or `containers "a", "b"`. */
export function withNames(noun: string, items: readonly string[]): string {
  return `${pluralized(noun, items)} ${quoted(items)}`;
}

export function pluralized(noun: string, items: readonly unknown[]): string {
  return items.length === 1 ? noun : `${noun}s`;
}

export function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

export function namesOf(containers: readonly SecuredContainer[]): string[] {
  return containers.map(({ name = '' }) => name);
}

/**
 * The pod and those of its containers for which the test holds, as the subject of a sentence. Empty when there are
 * none.
 */
export function subjectsSetting({ spec, containers }: SecuredPod, test: (context: SecurityContext) => boolean): string {
  const holds = (context: SecurityContext | undefined): boolean => context !== undefined && test(context);
  const found = namesOf(containers.filter(({ securityContext }) => holds(securityContext)));
  return [
    ...(holds(spec.securityContext) ? ['pod'] : []),
    ...(found.length > 0 ? [withNames('container', found)] : []),
  ].join(' and ');
}

export function useVerb(subjects: readonly string[]): string {
  return subjects.length === 1 ? 'uses' : 'use';
}
