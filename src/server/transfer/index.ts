/** Copying all objects between stores: which stores there are, how they are opened, and what is done if one is in use. */
export { TransferError } from '../../transfer/index.ts';
export { type Place, placeOf, type StoreOptions, storePlace } from './places.ts';
export { type TransferReport, transferObjects } from './transfer-objects.ts';
