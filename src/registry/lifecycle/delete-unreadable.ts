import { invalidValue } from '../../meta/field-error.ts';
import { invalid } from '../../meta/status-error.ts';
import type { Decision, StoredObject } from '../../store/index.ts';
import type { ItemName } from '../object-keys.ts';
import type { DeleteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';

/**
 * Deletes an object that cannot be read and so blocks other operations. Finalizers are ignored, because they cannot be
 * read. Rejects objects that can be read or do not exist.
 */
export async function deleteUnreadable(context: ResourceContext, item: ItemName): Promise<DeleteResult> {
  const { group, resource } = context.groupResource;
  const decide = (current: StoredObject | undefined): Decision => {
    if (current !== undefined && !isReadable(context, current)) return { action: 'delete' };
    const field = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    const detail = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    throw invalid({ group, kind: resource }, item.name, [invalidValue(field, true, detail)]);
  };
  await context.update(item, decide, { onCorrupt: () => ({ action: 'delete' }) });
  await context.transactions?.afterUnreadableDelete(item);
  const details = { name: item.name, ...(group !== '' && { group }), kind: resource };
  return { status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 } };
}

/** A backend without checksums may return a value that cannot be parsed. */
function isReadable(context: ResourceContext, stored: StoredObject): boolean {
  try {
    context.codec.read(stored);
    return true;
  } catch {
    return false;
  }
}
