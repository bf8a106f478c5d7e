/**
 * Copying all objects between stores: which stores there are, how they are opened, and what is done if one is in use.
 */
export { TransferError } from '../../transfer/index.ts';
export { valueEncryption } from '../encryption.ts';
export { directoryPlace, etcdPlace, type Place, type PlaceOptions, placeOf } from './places.ts';
export { type TransferReport, transferObjects } from './transfer-objects.ts';
