import { invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { parseResourceVersion } from '../../meta/resource-version.ts';
import { conflict, invalid, staleVersion } from '../../meta/status-error.ts';
import type { Decision, StoredObject } from '../../store/index.ts';
import type { ResourceContext } from '../resource-context.ts';
import { prepareUpdate, type WrittenPart } from './prepare-update.ts';
import { validateUpdate } from './validate.ts';

interface Replacement {
  readonly current: StoredObject;
  readonly stored: ResourceObject;
  /** What the client wants there to be, with the resourceVersion and uid that it expects. */
  readonly sent: ResourceObject;
}

export interface ReplaceRequest {
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly part: WrittenPart;
  readonly warn: (text: string) => void;
  /** What is to take the place of the stored object; called again when another writer was faster. */
  readonly sentFor: (stored: ResourceObject) => ResourceObject;
}

/** What PUT and PATCH share: the document of the object as it is afterwards. Undefined when there is no such object. */
export async function replace(context: ResourceContext, request: ReplaceRequest): Promise<Buffer | undefined> {
  let next: ResourceObject | undefined;
  let removed = false;
  const outcome = await context.update(request, (current): Decision => {
    next = undefined;
    if (current === undefined) return { action: 'keep' };
    const stored = context.read(current);
    next = replaced(context, { current, stored, sent: request.sentFor(stored) }, request.part);
    if (request.part === 'main') context.definition.rules.warnings?.(next, stored).forEach(request.warn);
    removed = isReleased(context, next);
    if (request.dryRun) return { action: 'keep' };
    return removed ? { action: 'delete' } : { action: 'put', value: context.encode(next) };
  });
  if (next === undefined) return undefined;
  return request.dryRun || removed ? context.documentOf(next) : context.document(outcome.object!);
}

/** The object to store: the conditions hold and it is valid. */
function replaced(context: ResourceContext, replacement: Replacement, part: WrittenPart): ResourceObject {
  checkVersion(context, replacement);
  checkUid(context, replacement);
  const { sent, stored } = replacement;
  const object = prepareUpdate(context, { sent, stored }, part);
  validateUpdate(context, { next: object, stored, part });
  return object;
}

/** The last finalizer of an object that waits for its deletion is gone. */
function isReleased({ definition }: ResourceContext, object: ResourceObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || finalizers?.length || deletionGracePeriodSeconds) return false;
  return !definition.rules.heldBack?.(object);
}

function checkVersion(context: ResourceContext, { current, sent }: Pick<Replacement, 'current' | 'sent'>): void {
  const { name = '', resourceVersion = '' } = sent.metadata;
  if (resourceVersion === '' || resourceVersion === '0') {
    if (context.definition.rules.unconditionalUpdate) return;
    const { group, resource } = context.groupResource;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group, kind: resource }, name, [error]);
  }
  parseResourceVersion(resourceVersion);
  if (resourceVersion !== String(current.revision)) throw staleVersion(context.groupResource, name);
}

function checkUid(context: ResourceContext, { current, stored, sent }: Replacement): void {
  const { name = '', uid } = sent.metadata;
  if (!uid || uid === stored.metadata.uid) return;
  throw conflict(
    context.groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${current.key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.metadata.uid}`,
  );
}
