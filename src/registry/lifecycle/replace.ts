import type { AdmissionChain, AdmissionContext, AdmissionTarget } from '../../admission/index.ts';
import { keepTimes } from '../../merge/managed-fields/index.ts';
import { invalidValue } from '../../meta/field-error.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { untilReady } from '../../meta/pending.ts';
import { isVersionZero, parseResourceVersion } from '../../meta/resource-version.ts';
import { conflict, invalid, type StatusError, staleVersion } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Decide, Decision, Outcome, StoredObject } from '../../store/index.ts';
import { admissionRequest } from '../admit-write.ts';
import type { ObjectCodec } from '../object-codec.ts';
import type { FinishTransaction } from '../object-transactions.ts';
import type { ResourceContext } from '../resource-context.ts';
import { afterMutation } from './after-mutation.ts';
import { checkObjectSize } from './check-object-size.ts';
import { prepareUpdate, subresourceOf, type WriteEndpoint } from './prepare-update.ts';
import { dropRepeatedOwners } from './repeated-owners.ts';
import { validateUpdate } from './validate.ts';
import { dropManagedFields, isTooLargeToStore } from './without-managed-fields.ts';

interface Replacement {
  readonly current: StoredObject;
  readonly oldObject: ResourceObject;
  /** The desired object, with the resourceVersion and uid that the client expects. */
  readonly sent: ResourceObject;
  /** The desired object before admission, which may have changed it. */
  readonly expected?: ResourceObject;
}

export interface ReplaceRequest {
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly endpoint: WriteEndpoint;
  readonly warn: (text: string) => void;
  readonly admissionContext?: AdmissionContext | undefined;
  /**
   * Returns the object, or view, that replaces the stored one. Returns the stored one itself when nothing changes.
   * Called again when another writer was faster.
   */
  readonly sentFor: (oldObject: ResourceObject) => ResourceObject;
  /**
   * The object as the writer has read it. If it is still the stored one, it is not parsed again, and members that the
   * write keeps are not encoded again. It is not changed.
   */
  readonly known?: ResourceObject;
  /** Set when the kind of the endpoint is another view of the object. */
  readonly view?: ObjectView;
  /** Whether admission has already happened for the request that leads to this change. */
  readonly isAdmitted?: boolean;
  /** Whether the uid is an immutable field. Otherwise it is a precondition, and a different uid is a conflict. */
  readonly uidIsField?: boolean;
  /** Reject an object that is too large to store with managed fields. By default it is stored without them. */
  readonly needsManagedFields?: boolean;
}

export interface ObjectView {
  readonly subresource: string;
  readonly of: (object: ResourceObject) => ResourceObject;
  /** Returns the object to store when this view of the stored object was sent. */
  readonly applied: (oldObject: ResourceObject, sent: ResourceObject) => ResourceObject;
}

/**
 * The common code of PUT and PATCH. Returns the document of the resulting object, or undefined when the object does not
 * exist. `output` encodes the document. By default it is the object itself.
 */
export async function replace(
  context: ResourceContext,
  request: ReplaceRequest,
  output: ReplaceOutput = context.codec,
): Promise<Buffer | undefined> {
  try {
    return await replaceOnce(context, request, { withManagedFields: true, output });
  } catch (error) {
    if (request.needsManagedFields || !isTooLargeToStore(error)) throw error;
    return replaceOnce(context, request, { withManagedFields: false, output });
  }
}

async function replaceOnce(
  context: ResourceContext,
  request: ReplaceRequest,
  { withManagedFields, output }: { withManagedFields: boolean; output: ReplaceOutput },
): Promise<Buffer | undefined> {
  const { dryRun } = request;
  const guard = new UpdateGuard(context, request);
  let next: ResourceObject | undefined;
  let removed = false;
  const outcome = await guard.run(async (current): Promise<Decision> => {
    next = undefined;
    if (current === undefined) return { action: 'keep' };
    // Plugins may change an object in place.
    const known = guard.isNeeded ? undefined : knownAs(current, request);
    const oldObject = known ?? context.codec.read(current);
    const oldDocument = known && { object: known, document: current.bytes };
    const sent = await untilReady(() => request.sentFor(oldObject));
    const { validateSteps, warnings } = context.definition.rules;
    // An unchanged object is still valid, and without admission plugins nothing else has to check it.
    if (sent === oldObject && request.endpoint === 'main' && !guard.isNeeded && validateSteps === undefined) {
      next = oldObject;
      warnings?.(oldObject, oldObject).forEach(request.warn);
      return dryRun || !context.mayBeOutdated ? { action: 'keep' } : context.codec.put(oldObject, oldDocument);
    }
    checkObjectSize(sent);
    // For a patch, this is known only after admission, as in the message of the warning.
    dropRepeatedOwners(sent, request.warn, { afterAdmission: request.uidIsField === true });
    const replacement = { current, oldObject, sent };
    const object = guard.isNeeded
      ? await guard.replaced(replacement)
      : await checked(context, prepared(context, replacement, request), request);
    next = withManagedFields ? object : dropManagedFields(object);
    removed = isReleased(context, object);
    if (dryRun) return { action: 'keep' };
    return removed ? { action: 'delete' } : context.codec.put(object, oldDocument);
  });
  if (next === undefined) return undefined;
  if (removed && !dryRun) await context.transactions?.afterDelete(next);
  if (removed) return output.documentOf(next);
  return dryRun ? output.documentOfDryRun(next) : output.document(outcome.object!);
}

/**
 * The value that replaces an object which the server itself has just created, and which no other writer can have
 * changed. Undefined when it cannot be determined synchronously, for example because admission plugins have to run.
 */
export function replacementNow(
  context: ResourceContext,
  request: ReplaceRequest & { readonly known: ResourceObject },
  current: StoredObject,
): Buffer | undefined {
  if (new UpdateGuard(context, request).isNeeded) return undefined;
  const oldObject = request.known;
  const sent = request.sentFor(oldObject);
  const next = checked(context, prepared(context, { current, oldObject, sent }, request), request);
  if (next instanceof Promise) return abandoned(next);
  const decision = context.codec.put(next, { object: oldObject, document: current.bytes });
  if (decision instanceof Promise) return abandoned(decision);
  return decision.action === 'put' ? decision.value : undefined;
}

function abandoned(promise: Promise<unknown>): undefined {
  promise.catch(() => {});
}

export type ReplaceOutput = Pick<ObjectCodec, 'document' | 'documentOf' | 'documentOfDryRun'>;

interface PreparedChange {
  readonly next: ResourceObject;
  readonly oldObject: ResourceObject;
}

/** Checks the preconditions and returns the object to store, which is not validated yet. */
function prepared(
  context: ResourceContext,
  replacement: Replacement,
  request: Pick<ReplaceRequest, 'endpoint' | 'uidIsField' | 'view' | 'dryRun'>,
): PreparedChange {
  const { current, oldObject } = replacement;
  const sent = request.view?.applied(oldObject, replacement.sent) ?? replacement.sent;
  // A uid that admission has set is an immutable field.
  const expected = replacement.expected ?? sent;
  if (!request.uidIsField) checkUid(context, { current, oldObject, sent: expected, dryRun: request.dryRun });
  checkVersion(context, { current, sent });
  const next = prepareUpdate(context, { sent, oldObject }, request.endpoint);
  // The field is never stored, but a dry run returns it.
  if (!request.dryRun) next.metadata.selfLink = undefined;
  next.metadata.managedFields = keepTimes(oldObject, next) as unknown[] | undefined;
  return { next, oldObject };
}

function checked(
  context: ResourceContext,
  { next, oldObject }: PreparedChange,
  request: Pick<ReplaceRequest, 'endpoint' | 'warn'>,
): MaybePromise<ResourceObject> {
  const { endpoint, warn } = request;
  return mapMaybe(validateUpdate(context, { next, oldObject, endpoint }), () => {
    const { warnings, statusWarnings } = context.definition.rules;
    if (endpoint === 'main') warnings?.(next, oldObject).forEach(warn);
    else if (endpoint === 'status') statusWarnings?.(next).forEach(warn);
    return next;
  });
}

type GuardedRequest = Omit<ReplaceRequest, 'sentFor'>;

/** Runs admission and transactions around a change. Most types have neither. */
class UpdateGuard {
  readonly isNeeded: boolean;
  readonly #context: ResourceContext;
  readonly #request: GuardedRequest;
  readonly #admission: AdmissionChain | undefined;
  readonly #target: AdmissionTarget;
  #finish: FinishTransaction | undefined = undefined;

  constructor(context: ResourceContext, request: GuardedRequest) {
    const { endpoint, view, isAdmitted } = request;
    const subresource = view?.subresource ?? subresourceOf(endpoint);
    this.#context = context;
    this.#request = request;
    this.#target = context.admissionTargets.of(subresource);
    this.#admission = isAdmitted ? undefined : context.admission;
    const isAdmissionNeeded = this.#admission?.concerns('UPDATE', this.#target) ?? false;
    this.isNeeded = isAdmissionNeeded || context.transactions !== undefined;
  }

  async run(decide: Decide): Promise<Outcome> {
    const { dryRun } = this.#request;
    let committed = false;
    try {
      // A later attempt may find that the object was deleted. The result of an earlier attempt is then not stored.
      let isThere = false;
      const outcome = await this.#context.update(this.#request, (current) => {
        isThere = current !== undefined;
        return decide(current);
      });
      committed = isThere && !dryRun;
      return outcome;
    } finally {
      await this.#finish?.({ committed });
    }
  }

  async replaced(replacement: Replacement): Promise<ResourceObject> {
    const { transactions } = this.#context;
    const { endpoint, view, user, dryRun, warn, admissionContext } = this.#request;
    const { oldObject } = replacement;
    // Another writer was faster: release the reservations of the earlier attempt.
    await this.#finish?.({ committed: false });
    this.#finish = undefined;
    const shown = view?.of(oldObject) ?? oldObject;
    const write = { operation: 'UPDATE', oldObject: shown, user, dryRun, warn, admissionContext } as const;
    const admissionInput = admissionRequest(this.#target, { ...write, object: replacement.sent });
    const mutated = (await this.#admission?.mutate(admissionInput)) ?? replacement.sent;
    const { namespace } = this.#request;
    const sent = afterMutation(this.#context, { sent: replacement.sent, mutated, namespace }, warn);
    const change = prepared(this.#context, { ...replacement, sent, expected: replacement.sent }, this.#request);
    if (endpoint === 'main') this.#finish = await transactions?.beginUpdate(change, { dryRun, warn });
    const next = await checked(this.#context, change, this.#request);
    const object = view?.of(next) ?? next;
    await this.#admission?.validate(admissionRequest(this.#target, { ...write, object }));
    return next;
  }
}

/** Whether the last finalizer of an object under deletion has been removed. */
function isReleased({ definition }: ResourceContext, object: ResourceObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || finalizers?.length || deletionGracePeriodSeconds) return false;
  return !definition.rules.heldBack?.(object);
}

/** The object that the writer has read, if it is the stored one. */
function knownAs({ revision }: StoredObject, { known }: Pick<ReplaceRequest, 'known'>): ResourceObject | undefined {
  return known?.metadata.resourceVersion === String(revision) ? known : undefined;
}

function checkVersion(context: ResourceContext, { current, sent }: Pick<Replacement, 'current' | 'sent'>): void {
  const { name = '', resourceVersion = '' } = sent.metadata;
  if (resourceVersion === '' || isVersionZero(resourceVersion)) {
    if (context.definition.rules.unconditionalUpdate) return;
    const { group, resource } = context.groupResource;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group, kind: resource }, name, [error]);
  }
  if (parseResourceVersion(resourceVersion) !== current.revision) throw staleVersion(context.groupResource, name);
}

interface UidCheck extends Replacement {
  readonly dryRun: boolean;
}

function checkUid(context: ResourceContext, { current, oldObject, sent, dryRun }: UidCheck): void {
  const { uid } = sent.metadata;
  if (uid && uid !== oldObject.metadata.uid) {
    throw uidConflict(context, { key: current.key, sent, stored: oldObject.metadata.uid, dryRun });
  }
}

/** The error for an object whose uid is not that of the stored one, which is undefined when there is none. */
export function uidConflict(
  { groupResource }: ResourceContext,
  {
    key,
    sent,
    stored = '',
    dryRun,
  }: { key: string; sent: ResourceObject; stored: string | undefined; dryRun: boolean },
): StatusError {
  const { name = '', uid } = sent.metadata;
  // A dry run in Kubernetes does not reach the store, which adds the prefix of its keys.
  const shownKey = dryRun ? key.replace('/registry', '') : key;
  return conflict(
    groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${shownKey}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`,
  );
}
