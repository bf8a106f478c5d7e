import { generateName } from '../../meta/generate-name.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { unclassified } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import { orderedMeta } from '../ordered-meta.ts';
import type { ResourceContext } from '../resource-context.ts';

/** Removes fields that the server will set, so that admission does not see client values in them. */
export function clearSystemFields(metadata: ObjectMeta): void {
  // Absent members stay absent, because objects with different members are slower.
  if (metadata.uid !== undefined) metadata.uid = undefined;
  if (metadata.creationTimestamp !== undefined) metadata.creationTimestamp = undefined;
  if (metadata.deletionTimestamp !== undefined) metadata.deletionTimestamp = undefined;
  if (metadata.deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds = undefined;
}

/** Sets and removes the server-controlled fields of a new object. */
export function prepareCreate(
  context: ResourceContext,
  sent: ResourceObject,
  { user, now, dryRun }: { user: UserInfo; now: string; dryRun: boolean },
): ResourceObject {
  const { definition, compatibility } = context;
  const { metadata } = sent;
  const version = metadata.resourceVersion;
  // Any other version, such as "0", names no stored object, so a create cannot overwrite one.
  const isChecked = !dryRun || compatibility.dryRunChecksVersionOnCreate;
  if (isChecked && version !== undefined && /^0*[1-9][0-9]*$/.test(version)) {
    throw unclassified('resourceVersion should not be set on objects to be created');
  }
  const name = metadata.name || (metadata.generateName ? generated(context, metadata) : metadata.name);
  const prepared = orderedMeta(metadata);
  prepared.name = name;
  prepared.selfLink = undefined;
  prepared.uid = context.identity.uuid(context.keys.of(metadata.namespace ?? '', name ?? ''));
  // A dry run returns it, because only storing the object would remove it.
  prepared.resourceVersion = dryRun ? version : undefined;
  if (definition.rules.generation) prepared.generation = 1;
  prepared.creationTimestamp = now;
  prepared.deletionTimestamp = undefined;
  prepared.deletionGracePeriodSeconds = undefined;
  sent.metadata = prepared;
  if (context.hasStatus && !definition.rules.keepsStatus) resetStatus(context, sent);
  definition.rules.dropUnserved?.(sent, undefined, context.isServed);
  definition.rules.prepareCreate?.(sent, user, context.identity);
  return sent;
}

function generated(context: ResourceContext, { namespace = '', generateName: prefix = '' }: ObjectMeta): string {
  return generateName(prefix, { identity: context.identity, of: context.keys.of(namespace, prefix) });
}

/** The server or a controller writes the status. The status of a new object is empty. */
function resetStatus({ blankStatus }: ResourceContext, object: ResourceObject): void {
  if (blankStatus === undefined) delete object.status;
  else object.status = blankStatus;
}
