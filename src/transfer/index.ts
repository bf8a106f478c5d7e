/**
 * Copies all objects from one store to another and verifies the copy. Values are copied in the registry's form;
 * encryption and the layout of kube-apiserver are applied by each store. `server` opens the stores.
 */
export { fileSource } from './object-file/file-source.ts';
export { fileTarget } from './object-file/file-target.ts';
export { type Source, storageSource } from './source.ts';
export { committedTarget, filledTarget, type ReadBack, type Target } from './target.ts';
export {
  type CopyReport,
  copy,
  type OnProgress,
  type Phase,
  type UnreadableObjects,
  verify,
} from './transfer.ts';
export { TransferError } from './transfer-error.ts';
