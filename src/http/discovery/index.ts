/**
 * The documents that say what the server serves: `/`, `/version`, `/api`, `/apis` and what lies directly below them. They
 * are derived from the catalog of resource definitions and kept as bytes. OpenAPI is next door; objects are not here.
 */
export { Discovery } from './discovery.ts';
export type { BuildInfo } from './version-info.ts';
