/** The public exports of the package `keelson`. */
export {
  ApiError,
  Client,
  type ObjectList,
  type ResourceClient,
  type ResourceReference,
  type WatchEvent,
} from './client/index.ts';
export type { ObjectMeta, ResourceObject } from './meta/object.ts';
export { type Logger, type Server, type ServerOptions, startServer } from './server/index.ts';
export { StorageError } from './storage/index.ts';
