import type { ResourceObject } from '../../meta/object.ts';
import { notFound, type Status } from '../../meta/status-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { admissionRequest, admissionTarget } from '../admit-write.ts';
import { subresourceKind } from '../decodable-kind.ts';
import { decodeObjectInTurns } from '../decode-object.ts';
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
  const decodable = subresourceKind({ group, version, kind, schema: action.schema, isKind: context.isKind });
  const ownTarget = admissionTarget(context.definition, endpoint);
  return {
    async create(request: CreateRequest): Promise<CreateResult> {
      const sent = (await decodeObjectInTurns(decodable, request)).object;
      checkNamespaceMatch(context, sent, request.namespace);
      const { namespace, user, dryRun, warn } = request;
      const name = request.name || (sent.metadata.name ?? '');
      const item = { namespace, name };
      const asked = { operation: 'CREATE', object: sent, oldObject: undefined, item, user, dryRun, warn } as const;
      const admission = admissionRequest(request.admissionTarget ?? ownTarget, asked);
      await context.admission?.mutate(admission);
      action.check(sent, name);
      await context.admission?.validate(admission);
      const sentFor = function* (oldObject: ResourceObject): Steps<ResourceObject> {
        const next = structuredClone(oldObject);
        action.apply(next, sent);
        if (isTurnOver()) yield;
        return context.canonical(next);
      };
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
      return { status };
    },
  };
}

const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
