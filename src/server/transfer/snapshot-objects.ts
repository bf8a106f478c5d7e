import { kubernetesLayout } from '../../kubernetes-layout/index.ts';
import type { Logger } from '../../meta/logger.ts';
import { type Storage, TransformedStorage, type ValueTransformer } from '../../storage/index.ts';
import { openSnapshot } from '../../storage/snapshot/index.ts';

export { copy, filledTarget, storageSource } from '../../transfer/index.ts';

export interface SnapshotObjectsOptions {
  readonly encryption: ValueTransformer | undefined;
  readonly log?: Logger;
}

/** Opens the objects of a snapshot in the format of the registry. */
export async function openSnapshotObjects(path: string, { encryption, log }: SnapshotObjectsOptions): Promise<Storage> {
  const snapshot = await openSnapshot(path);
  if (!snapshot.isHashed) log?.info('the snapshot has no hash, so damage may remain unnoticed', { file: path });
  return new TransformedStorage(withTransformer(snapshot, encryption), kubernetesLayout());
}

/** Returns the storage with its values converted by the transformer, if one is given. */
export function withTransformer(storage: Storage, transformer: ValueTransformer | undefined): Storage {
  return transformer === undefined ? storage : new TransformedStorage(storage, transformer);
}
