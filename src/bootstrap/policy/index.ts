/**
 * The default roles and bindings of a cluster as data, with a file per theme, and the code that writes them.
 * Authorization itself is in `authz`.
 */
export { ensureBootstrapPolicy } from './ensure-bootstrap-policy.ts';
export { nodeRoles } from './node-roles.ts';
