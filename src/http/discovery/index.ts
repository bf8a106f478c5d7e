/**
 * The documents that describe what the server serves: `/`, `/version`, `/api`, `/apis` and the paths directly below
 * them. They are derived from the catalog of resource definitions and cached as bytes. OpenAPI has its own folder.
 */
export { Discovery } from './discovery.ts';
export type { BuildInfo } from './version-info.ts';
