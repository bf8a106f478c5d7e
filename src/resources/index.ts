/**
 * The built-in kinds, a folder per API group: schemas, names and rules, as data. What happens with the objects is not
 * here: the lifecycle is in registry, what the objects bring about is in controllers and in the rooms that obey them.
 */

export { TokenRequest } from './authentication/token-request-types.ts';
export { builtInKinds, builtInResources, groupOrder, isBuiltInKind, optionalResources, schemaOf } from './catalog.ts';
export { requestedOrganizations } from './certificates/requested-organizations.ts';
export { allowPrivileged } from './core/pod/allow-privileged.ts';
export type { KindDefinition } from './define.ts';
export { Eviction } from './policy/disruption-types.ts';
