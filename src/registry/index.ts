/**
 * The resource types that a server offers and the lifecycles of their objects: everything between the body of a request
 * and the bytes in the store. Kinds are known only by their definitions. The built-in ones live in `resources`.
 */

export { continueExpired, decodeContinue } from './continue-token.ts';
export { subresourceKind } from './decodable-kind.ts';
export { decodeObject } from './decode-object.ts';
export { addPreparedObjects, preparedObjects } from './lifecycle/prepared-object.ts';
export { listVersion } from './list-version.ts';
export type {
  DeleteOptions,
  DocumentGroup,
  FieldValidation,
  ObjectList,
  PatchType,
  Resource,
  Verbs,
  WatchStream,
  WriteOptions,
  WriteResult,
} from './resource.ts';
export type { ResourceDefinition, StorageLayout, Verb } from './resource-definition.ts';
export { ResourceSet } from './resource-set.ts';
export type { CreateScope } from './running-creates.ts';
export { servedTypes } from './served-types.ts';
export type { FirstStatus, StatusWrite } from './status-write.ts';
export { writeFailure } from './storage-failure.ts';
export type { FindDecoded } from './type-contexts.ts';
export { WatchEvent } from './watch-event.ts';
