import { timestamp } from '../../meta/clock.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { untilReady } from '../../meta/pending.ts';
import { alreadyExists, generatedNameTaken, StatusError } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import { CorruptObjectError, type Decision, type Outcome, type StoredObject } from '../../store/index.ts';
import { type AdmittedWrite, admissionRequest } from '../admit-write.ts';
import { type DecodedObject, decodeObject } from '../decode-object.ts';
import { checkNamespaceMatch } from '../match-request.ts';
import type { CreateRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { afterMutation } from './after-mutation.ts';
import { checkObjectSize } from './check-object-size.ts';
import { clearSystemFields, prepareCreate } from './prepare-create.ts';
import { dropRepeatedOwners } from './repeated-owners.ts';
import { validateCreate } from './validate.ts';
import { dropManagedFields, isTooLargeToStore } from './without-managed-fields.ts';
import { statusFollowUp } from './write-status.ts';

const generateAttempts = 8;

export async function create(context: ResourceContext, request: CreateRequest): Promise<WriteResult> {
  const sent = await decodeObject(context, request);
  checkNamespaceMatch(context, sent.object, request.namespace);
  checkObjectSize(sent.object);
  return createDecoded(context, await ownedByWriter(context, sent, request), request);
}

/** Creates an object on behalf of the server. Admission and validation treat it like the object of a client. */
export async function createObject(
  context: ResourceContext,
  object: ResourceObject,
  request: Writer & Pick<CreateRequest, 'fieldManager'>,
): Promise<WriteResult> {
  return createDecoded(context, ownObject(context, object, request), request);
}

/** An object of the server itself in stored form, without admission and validation. */
export function newObject(
  context: ResourceContext,
  object: ResourceObject,
  writer: Pick<CreateRequest, 'user' | 'fieldManager'>,
): ResourceObject {
  const { object: owned } = ownObject(context, object, writer);
  return prepareCreate(context, owned, { user: writer.user, dryRun: false, now: timestamp(context.clock) });
}

function ownObject(
  context: ResourceContext,
  object: ResourceObject,
  writer: Pick<CreateRequest, 'fieldManager'>,
): DecodedObject {
  const findings = new Findings();
  const normalized = context.compiled.normalize(object, findings);
  context.definition.rules.setDefaults?.(normalized, context.clock);
  const { needsSchemaCheck } = findings;
  return owned(context, { object: normalized, needsSchemaCheck }, writer);
}

/** A new object whose fields are owned by its creator. */
function owned(
  { ownership }: ResourceContext,
  sent: DecodedObject,
  { fieldManager: manager }: Pick<CreateRequest, 'fieldManager'>,
): DecodedObject {
  const { object: next, sentEntries } = sent;
  // The server drops these fields, so they have no owner.
  delete next.metadata.deletionTimestamp;
  delete next.metadata.deletionGracePeriodSeconds;
  const change = { live: undefined, next, sentEntries };
  return { ...sent, object: ownership.tracked(change, { manager, subresource: '' }) };
}

/** Like `owned`, for objects whose entries are in versions to which a webhook may have to convert them. */
export function ownedByWriter(...input: Parameters<typeof owned>): MaybePromise<DecodedObject> {
  return untilReady(() => owned(...input));
}

/**
 * Creates an object that this request owns and whose managed fields are set. Nothing is awaited before the commit
 * unless necessary.
 */
export async function createDecoded(
  context: ResourceContext,
  decoded: DecodedObject,
  request: Writer,
): Promise<WriteResult> {
  const running = context.creates.begin(context.groupResource, decoded.object.metadata.namespace ?? '');
  try {
    const { warn } = request;
    let { object: sent, needsSchemaCheck } = decoded;
    dropRepeatedOwners(sent, warn);
    const { admission } = context;
    if (admission !== undefined) {
      clearSystemFields(sent.metadata);
      const mutated = admission.mutate(admissionRequest(context.admissionTargets.of(''), creation(sent, request)));
      const object = mutated instanceof Promise ? await mutated : mutated;
      // Only the decoder can determine that an object needs no check.
      needsSchemaCheck ||= object !== sent;
      sent = afterMutation(context, { sent, mutated: object, namespace: sent.metadata.namespace ?? '' }, warn);
    }
    const generated = !sent.metadata.name && !!sent.metadata.generateName;
    for (let attempt = 1; ; attempt++) {
      const object = prepareCreate(context, { ...sent }, { ...request, now: timestamp(context.clock) });
      const { needsManagedFields = false } = request;
      const created = { context, write: creation(object, request), needsSchemaCheck, needsManagedFields };
      const bytes = await (context.transactions === undefined ? store(created) : storeGuarded(created));
      if (bytes !== undefined) return { bytes, created: true };
      const { name = '' } = object.metadata;
      if (!generated) throw await existsError(context, object);
      if (attempt === generateAttempts) throw generatedNameTaken(context.groupResource, name);
    }
  } finally {
    context.creates.end(running);
  }
}

/** Whether a create has failed because the name is taken. */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.status.reason === 'AlreadyExists';
}

type Writer = Pick<CreateRequest, 'user' | 'dryRun' | 'warn' | 'admissionContext'> & {
  /** Reject an object that is too large to store with managed fields. By default it is stored without them. */
  readonly needsManagedFields?: boolean;
};

function creation(object: ResourceObject, { user, dryRun, warn, admissionContext }: Writer): AdmittedWrite {
  return { operation: 'CREATE', object, oldObject: undefined, user, dryRun, warn, admissionContext };
}

interface Creation {
  readonly context: ResourceContext;
  readonly write: AdmittedWrite;
  readonly needsSchemaCheck: boolean;
  readonly needsManagedFields: boolean;
}

/** Makes the reservations of the object before it is stored, and releases them when storing fails. */
async function storeGuarded(created: Creation): Promise<Buffer | undefined> {
  const { context, write } = created;
  const finish = await context.transactions!.beginCreate(write.object, { dryRun: write.dryRun, warn: write.warn });
  let bytes: Buffer | undefined;
  try {
    bytes = await store(created);
  } finally {
    await finish({ committed: bytes !== undefined && !write.dryRun });
  }
  return bytes;
}

/** Validates and stores the object. Undefined when the name is taken. */
async function store(created: Creation): Promise<Buffer | undefined> {
  const { context, write, needsSchemaCheck } = created;
  await validateCreate(context, { object: write.object, needsSchemaCheck });
  context.definition.rules.warnings?.(write.object, undefined).forEach(write.warn);
  await context.admission?.validate(admissionRequest(context.admissionTargets.of(''), write));
  return insert(created);
}

/** Undefined when the name is taken. */
async function insert({ context, write, needsManagedFields }: Creation): Promise<Buffer | undefined> {
  const { object, dryRun } = write;
  const { namespace = '', name = '' } = object.metadata;
  let taken = false;
  const decide = (current: StoredObject | undefined): MaybePromise<Decision> => {
    taken = current !== undefined;
    return taken || dryRun ? { action: 'keep' } : context.codec.put(object);
  };
  // A dry run writes nothing that would detect a taken name, so it reads.
  const update = () =>
    context.update({ namespace, name }, decide, {
      expectAbsent: !dryRun,
      // An object that cannot be read also occupies the name.
      onCorrupt: () => {
        taken = true;
        return { action: 'keep' };
      },
      followUp: context.firstStatus && ((created) => statusFollowUp(context, object, created)),
    });
  let outcome: Outcome;
  try {
    outcome = await update();
  } catch (error) {
    if (needsManagedFields || !isTooLargeToStore(error)) throw error;
    dropManagedFields(object);
    outcome = await update();
  }
  if (taken) return undefined;
  return dryRun ? context.codec.documentOfDryRun(object) : context.codec.document(outcome.object!);
}

async function existsError(
  context: ResourceContext,
  { metadata: { namespace = '', name = '', generateName } }: ResourceObject,
) {
  const present = await readable(context, context.keys.of(namespace, name));
  if (generateName) return generatedNameTaken(context.groupResource, name);
  return alreadyExists(context.groupResource, name, present?.isBeingDeleted ? 'object is being deleted: ' : '');
}

async function readable({ store }: ResourceContext, key: string): Promise<StoredObject | undefined> {
  try {
    return await store.get(key);
  } catch (error) {
    if (error instanceof CorruptObjectError) return undefined;
    throw error;
  }
}
