import type { ResourceObject } from '../meta/object.ts';
import type { StoredType } from '../meta/object-reader.ts';
import type { Reconciliation } from './ensure-object.ts';

/** Changes a stored object without a request. Resolves with undefined if there is none. */
export type ChangeObject = (
  type: StoredType,
  item: { readonly namespace: string; readonly name: string },
  change: (current: ResourceObject) => ResourceObject | undefined,
) => Promise<ResourceObject | undefined>;

/** Changes the address of the server in an object. Resolves with true if that was possible. */
export async function moveObject(
  change: ChangeObject,
  type: StoredType,
  reconcile: (current: ResourceObject) => Reconciliation<ResourceObject>,
): Promise<boolean> {
  let isPossible = true;
  const found = await change(type, { namespace: 'default', name: 'kubernetes' }, (current) => {
    const next = reconcile(current);
    isPossible = next !== 'recreate';
    return typeof next === 'string' ? undefined : next;
  });
  return isPossible && found !== undefined;
}
