/**
 * Copying all objects between stores: the kinds of stores, how they are opened, and the handling of a store that is in
 * use.
 */
export { TransferError } from '../../transfer/index.ts';
export { valueEncryption } from '../encryption.ts';
export { directoryPlace, etcdPlace, type Place, type PlaceOptions, placeOf } from './places.ts';
export { type TransferReport, transferObjects } from './transfer-objects.ts';
