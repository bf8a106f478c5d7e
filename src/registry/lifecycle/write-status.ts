import type { ResourceObject } from '../../meta/object.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { FollowUp, StoredObject } from '../../store/index.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { StatusWrite } from '../status-write.ts';
import { type ReplaceRequest, replace, replacementNow } from './replace.ts';

/**
 * Writes the status of an object on behalf of the server, like a patch of the subresource with a resourceVersion.
 * Rejects with a 409 when the object has changed, and does nothing when it was deleted.
 */
export async function writeStatus(context: ResourceContext, write: StatusWrite): Promise<void> {
  await replace(context, statusReplacement(context, write));
}

/**
 * Like `writeStatus`, for an object that is being created. Returns undefined when the object has no first status, or
 * when it has to be written later.
 */
export function statusFollowUp(
  context: ResourceContext,
  object: ResourceObject,
  created: StoredObject,
): FollowUp | undefined {
  const first = context.firstStatus?.(object);
  if (first === undefined) return undefined;
  const metadata = { ...object.metadata, resourceVersion: String(created.revision) };
  try {
    const request = statusReplacement(context, { ...first, object: { ...object, metadata } });
    const value = replacementNow(context, request, created);
    if (value !== undefined) return { value, settled: first.settled };
  } catch {
    // The object is created anyway. The caller that writes the status later gets the error.
  }
  first.settled('not stored');
  return undefined;
}

function statusReplacement(
  context: ResourceContext,
  { object, status: wanted, user, fieldManager: manager }: StatusWrite,
): ReplaceRequest & { readonly known: ResourceObject } {
  const { namespace = '', name = '', resourceVersion } = object.metadata;
  const { status } = context.compiled.normalize({ status: wanted }, new Findings());
  return {
    namespace,
    name,
    user,
    endpoint: 'status',
    dryRun: false,
    uidIsField: true,
    warn: () => {},
    known: object,
    sentFor: (live) => {
      const next = { ...live, metadata: { ...live.metadata, resourceVersion }, status };
      return context.ownership.tracked({ live, next }, { manager, subresource: 'status' });
    },
  };
}
