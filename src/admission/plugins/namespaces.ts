import type { GroupResource } from '../../meta/group-version.ts';

export const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

export function isNamespace({ group, resource }: GroupResource): boolean {
  return group === '' && resource === 'namespaces';
}
