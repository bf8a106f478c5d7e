/**
 * Copying all objects between stores: the kinds of stores, how they are opened, and the handling of a store that is in
 * use.
 */
export { TransferError } from '../../transfer/index.ts';
export { valueEncryption } from '../encryption.ts';
export {
  directoryLocation,
  etcdLocation,
  type LocationOptions,
  locationOf,
  type ObjectLocation,
} from './object-location.ts';
export { type TransferReport, transferObjects } from './transfer-objects.ts';
