import type { ResourceObject } from '../../meta/object.ts';
import { notFound } from '../../meta/status-error.ts';
import { type DecodedObject, decodeObject } from '../decode-object.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { UpdateRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { createDecoded, isAlreadyExists, ownedByWriter } from './create.ts';
import { subresourceOf, type WriteEndpoint } from './prepare-update.ts';
import { replace, uidConflict } from './replace.ts';

/** How often a concurrent create and delete between two reads of the object is tolerated. */
const maxTries = 8;

/** PUT. Creates an absent object, unless the body refers to an existing one. */
export async function update(
  context: ResourceContext,
  request: UpdateRequest,
  endpoint: WriteEndpoint,
): Promise<WriteResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryUpdate(context, request, endpoint);
    } catch (error) {
      // Another writer created the object first: replace it.
      if (!isAlreadyExists(error) || tries === maxTries) throw error;
    }
  }
}

async function tryUpdate(
  context: ResourceContext,
  request: UpdateRequest,
  endpoint: WriteEndpoint,
): Promise<WriteResult> {
  const sent = await decodeObject(context, request);
  checkNameMatch(sent.object, request.name);
  checkNamespaceMatch(context, sent.object, request.namespace);
  const { namespace, name, user, dryRun, warn, admissionContext, fieldManager: manager } = request;
  const { object: next, sentEntries } = sent;
  const writer = { manager, subresource: subresourceOf(endpoint) };
  const sentFor = (live: ResourceObject) => context.ownership.tracked({ live, next, sentEntries }, writer);
  const target = { namespace, name, user, dryRun, endpoint, warn, admissionContext };
  const bytes = await replace(context, { ...target, sentFor });
  return bytes === undefined ? createAbsent(context, { request, sent, endpoint }) : { bytes, created: false };
}

/** kube-apiserver creates objects of a few types only. It ignores their version, and does not find their uid. */
function checkCreatedByKubernetes(
  context: ResourceContext,
  { request: { namespace, name, dryRun }, sent: { object } }: { request: UpdateRequest; sent: DecodedObject },
): void {
  if (context.definition.rules.createsOnUpdate !== true) throw notFound(context.groupResource, name);
  const key = context.keys.of(namespace, name);
  if (object.metadata.uid) throw uidConflict(context, { key, sent: object, stored: undefined, dryRun });
  // A dry run returns it.
  if (!dryRun) delete object.metadata.resourceVersion;
}

async function createAbsent(
  context: ResourceContext,
  { request, sent, endpoint }: { request: UpdateRequest; sent: DecodedObject; endpoint: WriteEndpoint },
): Promise<WriteResult> {
  const { definition, groupResource, compatibility } = context;
  if (endpoint !== 'main' || !definition.verbs.includes('create')) throw notFound(groupResource, request.name);
  if (compatibility.everyPutCreates) {
    const meantExisting = !!sent.object.metadata.resourceVersion || !!sent.object.metadata.uid;
    if (meantExisting) throw notFound(groupResource, request.name);
  } else {
    checkCreatedByKubernetes(context, { request, sent });
  }
  await request.authorizeCreate();
  return createDecoded(context, await ownedByWriter(context, sent, request), request);
}
