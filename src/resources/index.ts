/**
 * The built-in kinds as data, one folder per API group: schemas, names and rules. The object lifecycle is in
 * `registry`. The effects of objects are implemented in `controllers` and in the folders that enforce them.
 */

export { TokenRequest } from './authentication/token-request-types.ts';
export { builtInKind, builtInKinds, builtInResources, groupOrder, optionalResources, schemaOf } from './catalog.ts';
export { requestedOrganizations } from './certificates/requested-organizations.ts';
export { allowPrivileged } from './core/pod/allow-privileged.ts';
export type { KindDefinition } from './define.ts';
export { knownVersions } from './known-versions.ts';
export { Eviction } from './policy/disruption-types.ts';
