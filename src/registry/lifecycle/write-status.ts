import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { ResourceContext } from '../resource-context.ts';
import { replace } from './replace.ts';

export interface StatusWrite {
  /** The object that gets the status, as the writer has read it. */
  readonly object: ResourceObject;
  readonly status: object;
  readonly user: UserInfo;
  readonly fieldManager: string;
}

/**
 * Writes the status of an object on behalf of the server, like a patch of the subresource with a resourceVersion.
 * Rejects with a 409 when the object has changed, and does nothing when it was deleted.
 */
export async function writeStatus(
  context: ResourceContext,
  { object, status: wanted, user, fieldManager: manager }: StatusWrite,
): Promise<void> {
  const { namespace = '', name = '', resourceVersion } = object.metadata;
  const { status } = context.compiled.normalize({ status: wanted }, new Findings());
  await replace(context, {
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
      return context.ownership.trackedSteps({ live, next }, { manager, subresource: 'status' });
    },
  });
}
