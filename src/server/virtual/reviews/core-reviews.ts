import type { Attributes, Authorizer, Decision } from '../../../authz/index.ts';
import { openDocumentInTurns } from '../../../codec/open-document.ts';
import type { ApiRouterOptions } from '../../../http/api-router.ts';
import type { ResourceTarget } from '../../../http/request-info.ts';
import { DecodeError } from '../../../meta/decode-error.ts';
import { type MaybePromise, whenThere } from '../../../meta/maybe-promise.ts';
import type { Resource, ResourceSet } from '../../../registry/index.ts';
import type { CreateRequest } from '../../../registry/resource.ts';
import { reviewSubjectAccess } from './access-review.ts';
import { ReviewType, reviewVerbs } from './review-type.ts';

const group = 'authorization.k8s.io';
const plural = 'subjectaccessreviews';
const localPlural = 'localsubjectaccessreviews';

type RoutedResources = ApiRouterOptions['resources'];

/**
 * The resources of the set, and access reviews under `/api/v1` as well: with a namespace in the path they are the local ones.
 * Discovery does not tell of these, so that a client that looks for the resource finds one only.
 */
export function withCoreReviews(set: ResourceSet, authorizer: Authorizer): RoutedResources {
  const anywhere = set.find({ group, version: 'v1', resource: plural });
  const local = set.find({ group, version: 'v1', resource: localPlural });
  if (anywhere === undefined || local === undefined) return set;
  const core = {
    anywhere: anywhereReviews(anywhere, authorizer),
    local: localReviews(anywhere, { local, authorizer }),
  };
  return {
    find: (target) =>
      set.find(target) ?? (isCoreReview(target) ? core[target.namespace === '' ? 'anywhere' : 'local'] : undefined),
    hasGroup: (name) => set.hasGroup(name),
  };
}

/** Who may ask for reviews under their own group may do so under `/api/v1`. */
export function withCoreReviewRights(authorizer: Authorizer): Authorizer {
  return {
    authorize(attributes) {
      const { resource } = attributes;
      const decision = authorizer.authorize(attributes);
      if (resource === undefined || !isCoreReview(resource)) return decision;
      return whenThere(decision, (made): MaybePromise<Decision> => {
        if (made.decision !== 'no-opinion') return made;
        const named = { ...resource, group, resource: resource.namespace === '' ? plural : localPlural };
        const grouped: Attributes = { ...attributes, resource: named };
        return whenThere(authorizer.authorize(grouped), (other) => (other.decision === 'allow' ? other : made));
      });
    },
  };
}

function isCoreReview({ group: asked, version, resource }: Pick<ResourceTarget, 'group' | 'version' | 'resource'>) {
  return resource === plural && asked === '' && version === 'v1';
}

/** The path makes it likely that a body calls itself a kind of the core group. */
const alsoRead = ['v1'];

function anywhereReviews({ definition, subresources }: Resource, authorizer: Authorizer): Resource {
  const type = new ReviewType({ definition, alsoRead });
  return { definition, subresources, verbs: reviewVerbs(type, (review) => reviewSubjectAccess(authorizer, review)) };
}

/** They are asked by either kind, and answered in the kind that was sent. */
function localReviews(
  { definition, subresources }: Resource,
  { local, authorizer }: { local: Resource; authorizer: Authorizer },
): Resource {
  const inNamespace = { ...definition, namespaced: true, rules: local.definition.rules };
  const types = [inNamespace, local.definition].map((kind) => new ReviewType({ definition: kind, alsoRead }));
  const [byPath, byName] = types.map((type) => reviewVerbs(type, (review) => reviewSubjectAccess(authorizer, review)));
  return {
    definition: inNamespace,
    subresources,
    verbs: {
      async create(request) {
        const isByName = (await statedKind(request)) === local.definition.kind;
        return (isByName ? byName! : byPath!).create!(request);
      },
    },
  };

  async function statedKind({ body, encoding }: CreateRequest): Promise<unknown> {
    try {
      return (await openDocumentInTurns(body, encoding, definition.schema)).kind;
    } catch (error) {
      // It will be said when the body is read.
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }
}
