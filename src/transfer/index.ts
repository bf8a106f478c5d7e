/**
 * Copies all objects from one store to another and verifies the copy. What is copied are the values of the registry, so
 * that encryption and the layout of kube-apiserver are matters of each store. Opening stores is the task of `server`.
 */
export { fileSource } from './object-file/file-source.ts';
export { fileTarget } from './object-file/file-target.ts';
export { type Source, storageSource } from './source.ts';
export { committedTarget, filledTarget, type ReadsAs, type Target } from './target.ts';
export {
  type CopyReport,
  copy,
  type OnProgress,
  type Phase,
  type UnreadableObjects,
  verify,
} from './transfer.ts';
export { TransferError } from './transfer-error.ts';
