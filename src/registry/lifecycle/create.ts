import type { ResourceObject } from '../../meta/object.ts';
import { alreadyExists, generatedNameTaken } from '../../meta/status-error.ts';
import { formatTime } from '../../meta/time.ts';
import type { Decision, StoredObject } from '../../store/index.ts';
import { admissionRequest, mutate } from '../admit-write.ts';
import { type DecodedObject, decodeObject } from '../decode-object.ts';
import { checkNamespaceMatch } from '../match-request.ts';
import type { TransactionOptions } from '../object-transactions.ts';
import type { CreateRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { prepareCreate } from './prepare-create.ts';
import { dropRepeatedOwners } from './repeated-owners.ts';
import { validateCreate } from './validate.ts';

const generateAttempts = 8;

export async function create(context: ResourceContext, request: CreateRequest): Promise<WriteResult> {
  const sent = decodeObject(context, request);
  checkNamespaceMatch(context, sent.object, request.namespace);
  return createDecoded(context, sent, request);
}

/** For an object that has been read and belongs to this request. */
export async function createDecoded(
  context: ResourceContext,
  { object: sent, suspicious }: DecodedObject,
  { dryRun, warn }: Pick<CreateRequest, 'dryRun' | 'warn'>,
): Promise<WriteResult> {
  dropRepeatedOwners(sent, warn);
  await admit(context, sent);
  const write = { operation: 'CREATE', subresource: '', stored: undefined, dryRun, warn } as const;
  const { admission } = context;
  if (admission !== undefined) {
    await mutate(context, { ...write, object: sent });
    dropRepeatedOwners(sent, warn, { afterAdmission: true });
  }
  const generated = !sent.metadata.name && !!sent.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    const object = prepareCreate(context, { ...sent }, formatTime(new Date()));
    const store = async () => {
      validateCreate(context, object, suspicious);
      context.definition.rules.warnings?.(object, undefined).forEach(warn);
      if (admission !== undefined) await admission.validate(admissionRequest(context, { ...write, object }));
      return insert(context, object, dryRun);
    };
    const bytes = await guarded(context, object, { dryRun, warn, store });
    if (bytes !== undefined) return { bytes, created: true };
    const { name = '' } = object.metadata;
    if (!generated) throw await existsError(context, object);
    if (attempt === generateAttempts) throw generatedNameTaken(context.groupResource, name);
  }
}

function admit({ definition, groupResource: resource, admitNamespace }: ResourceContext, { metadata }: ResourceObject) {
  if (!definition.namespaced) return undefined;
  const { namespace = '', name, generateName } = metadata;
  return admitNamespace({ resource, namespace, name: name || generateName || 'Unknown' });
}

interface GuardedStore extends TransactionOptions {
  /** Validates and stores. Undefined when the name is taken. */
  readonly store: () => Promise<Buffer | undefined>;
}

/** Takes what the object needs elsewhere before it is stored, and gives it back when it is not. */
async function guarded(
  { transactions }: ResourceContext,
  object: ResourceObject,
  { store, ...options }: GuardedStore,
): Promise<Buffer | undefined> {
  if (transactions === undefined) return store();
  const finish = await transactions.beginCreate(object, options);
  let bytes: Buffer | undefined;
  try {
    bytes = await store();
  } finally {
    await finish({ stored: bytes !== undefined && !options.dryRun });
  }
  return bytes;
}

/** Undefined when the name is taken. */
async function insert(context: ResourceContext, object: ResourceObject, dryRun: boolean): Promise<Buffer | undefined> {
  const { namespace = '', name = '' } = object.metadata;
  let taken = false;
  const decide = (current: StoredObject | undefined): Decision => {
    taken = current !== undefined;
    return taken || dryRun ? { action: 'keep' } : { action: 'put', value: context.encode(object) };
  };
  // A dry run writes nothing that could find out that the name is taken, so it has to look.
  const outcome = await context.update({ namespace, name }, decide, { expectAbsent: !dryRun });
  if (taken) return undefined;
  return dryRun ? context.documentOf(object) : context.document(outcome.object!);
}

async function existsError(context: ResourceContext, { metadata: { namespace = '', name = '' } }: ResourceObject) {
  const present = await context.store.get(context.key(namespace, name));
  const terminating = present?.parse().metadata.deletionTimestamp !== undefined;
  return alreadyExists(context.groupResource, name, terminating ? 'object is being deleted: ' : '');
}
