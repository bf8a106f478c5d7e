/**
 * The roles and bindings that every cluster has from its start, as data with a file per theme, and what brings them
 * into a server. Who is allowed what is decided elsewhere, by these objects and those of users.
 */
export { ensureBootstrapPolicy } from './ensure-bootstrap-policy.ts';
export { nodeRoles } from './node-roles.ts';
