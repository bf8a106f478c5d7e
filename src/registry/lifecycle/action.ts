import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, notFound } from '../../meta/status-error.ts';
import { successStatus } from '../../meta/success-status.ts';
import { admissionRequest } from '../admit-write.ts';
import { subresourceKind } from '../decodable-kind.ts';
import { decodeObject } from '../decode-object.ts';
import { checkNamespaceMatch } from '../match-request.ts';
import type { CreateRequest, CreateResult, Verbs } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { ObjectAction, SubresourceDefinition } from '../resource-definition.ts';
import { replace } from './replace.ts';

/** The create verb of a subresource that acts on the object. It responds with a Status. */
export function actionVerbs(
  context: ResourceContext,
  { name: endpoint, kind, groupVersion }: SubresourceDefinition,
  action: ObjectAction,
): Verbs {
  const { group, version } = groupVersion ?? context.definition;
  const decodable = subresourceKind({ group, version, kind, schema: action.schema, knownKind: context.knownKind });
  return {
    async create(request: CreateRequest): Promise<CreateResult> {
      const { object } = await decodeObject(decodable, request);
      checkNamespaceMatch(context, object, request.namespace);
      const { namespace, user, dryRun, warn, admissionContext } = request;
      const name = request.name || (object.metadata.name ?? '');
      // Only the path of an object has a uid to compare: a collection ignores the uid of the created object.
      if (!request.name) delete object.metadata.uid;
      const item = { namespace, name };
      const write = { operation: 'CREATE', oldObject: undefined, item, user, dryRun, warn, admissionContext } as const;
      const target = request.admissionTarget ?? context.admissionTargets.of(endpoint);
      const sent = (await context.admission?.mutate(admissionRequest(target, { ...write, object }))) ?? object;
      action.check(sent, name);
      await context.admission?.validate(admissionRequest(target, { ...write, object: sent }));
      if (name === '') throw badRequest('Name parameter required.');
      const sentFor = (oldObject: ResourceObject) => afterAction(context, { action, sent }, oldObject);
      const bytes = await replace(context, {
        namespace,
        name,
        user,
        dryRun,
        warn,
        endpoint,
        sentFor,
        isAdmitted: true,
      });
      if (bytes === undefined) throw notFound(context.groupResource, name);
      return { status: successStatus };
    },
  };
}

function afterAction(
  context: ResourceContext,
  { action, sent }: { readonly action: ObjectAction; readonly sent: ResourceObject },
  oldObject: ResourceObject,
): ResourceObject {
  const next = structuredClone(oldObject);
  action.apply(next, sent, context.clock);
  return context.canonical(next);
}
