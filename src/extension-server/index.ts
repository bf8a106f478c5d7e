/**
 * A library for aggregated API servers: a program describes its types and the source of their objects, and the rooms of
 * this server do the rest. Parts that only the API server needs (built-in types, controllers, bootstrap) must not be
 * imported here.
 */

export type { Logger } from '../meta/logger.ts';
export type { ObjectMeta, ResourceObject } from '../meta/object.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  notFound,
  StatusError,
  serviceUnavailable,
} from '../meta/status-error.ts';
export type { UserInfo } from '../meta/user.ts';
export type { JsonSchema } from '../schema/structural/json-schema.ts';
export type { ClusterOptions } from './cluster.ts';
export {
  type AnyResource,
  type Backend,
  type BackendEvent,
  type BackendMeta,
  type BackendObject,
  type BackendRequest,
  type CreateRequest,
  type DeleteRequest,
  defineResource,
  type ExtensionResource,
  type ExtensionSubresources,
  type ItemRequest,
  type Listing,
  type ListRequest,
  type ResourceColumn,
  type UpdateRequest,
} from './define-resource.ts';
export type { RegistrationOptions } from './registration.ts';
export { type ExtensionOptions, type ExtensionServer, serveExtension } from './serve-extension.ts';
export type { ServingCertificate } from './serving-certificate.ts';
export { type StoredObjects, storedObjects } from './stored-objects.ts';
