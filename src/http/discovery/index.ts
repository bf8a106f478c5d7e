/**
 * The documents that describe what the server serves: `/`, `/version`, `/api`, `/apis` and the paths directly below
 * them. They are derived from the catalog of resource definitions and cached as bytes. OpenAPI has its own folder.
 */
export { buildInfo, sourceDigest } from './build-info.ts';
export { Discovery } from './discovery.ts';
export type { Priorities, RegisteredVersions, RemoteVersion } from './served-catalog.ts';
export { versionInfo } from './version-info.ts';
