import { invalidValue } from '../../meta/field-error.ts';
import { invalid, notFound } from '../../meta/status-error.ts';
import type { Decision, StoredObject } from '../../store/index.ts';
import type { DeleteResult } from '../resource.ts';
import type { ItemName, ResourceContext } from '../resource-context.ts';

/** For what stands in the way of everything else: no finalizer is respected, because none can be read. */
export async function deleteUnreadable(context: ResourceContext, item: ItemName): Promise<DeleteResult> {
  const { group, resource } = context.groupResource;
  await context.update(item, (current): Decision => {
    if (current === undefined) throw notFound(context.groupResource, item.name);
    if (!isReadable(context, current)) return { action: 'delete' };
    const field = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    const detail = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    throw invalid({ group, kind: resource }, item.name, [invalidValue(field, true, detail)]);
  });
  const details = { name: item.name, ...(group !== '' && { group }), kind: resource };
  return { status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 } };
}

function isReadable(context: ResourceContext, stored: StoredObject): boolean {
  try {
    context.read(stored);
    return true;
  } catch {
    return false;
  }
}
