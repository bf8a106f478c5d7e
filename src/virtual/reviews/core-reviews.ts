import type { Attributes, Authorizer, Decision } from '../../authz/index.ts';
import { openDocument } from '../../codec/open-document.ts';
import type { ApiRouterOptions } from '../../http/api-router.ts';
import type { ResourceTarget } from '../../http/request-info.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { Resource, ResourceSet } from '../../registry/index.ts';
import type { CreateRequest } from '../../registry/resource.ts';
import type { VirtualAdmission } from '../virtual-admission.ts';
import { reviewSubjectAccess } from './access-review.ts';
import { ReviewType, reviewVerbs } from './review-type.ts';

const group = 'authorization.k8s.io';
const plural = 'subjectaccessreviews';
const localPlural = 'localsubjectaccessreviews';

type RoutedResources = ApiRouterOptions['resources'];

/**
 * Adds access reviews under `/api/v1` to the resources of the set. With a namespace in the path they are local reviews.
 * Discovery does not show them, so that clients find each resource once.
 */
export function withCoreReviews(set: ResourceSet, authorizer: Authorizer): RoutedResources {
  const anywhere = set.find({ group, version: 'v1', resource: plural });
  const local = set.find({ group, version: 'v1', resource: localPlural });
  if (anywhere === undefined || local === undefined) return set;
  const { admission } = set;
  const core = new Map([
    [plural, anywhereReviews(anywhere, { authorizer, admission })],
    [localPlural, localReviews(anywhere, { local, authorizer, admission })],
  ]);
  return {
    find: (target) => set.find(target) ?? core.get(groupResourceOf(target) ?? ''),
    hasGroup: (name) => set.hasGroup(name),
  };
}

/** Allows access reviews under `/api/v1` to users who may create them in their own group. */
export function withCoreReviewRights(authorizer: Authorizer): Authorizer {
  return {
    authorize(attributes) {
      const decision = authorizer.authorize(attributes);
      // Nearly all requests are allowed and need no second decision.
      if (!(decision instanceof Promise) && decision.decision === 'allow') return decision;
      return mapMaybe(decision, (made): MaybePromise<Decision> => {
        const grouped = made.decision === 'no-opinion' ? inGroup(attributes) : undefined;
        if (grouped === undefined) return made;
        return mapMaybe(authorizer.authorize(grouped), (other) => (other.decision === 'allow' ? other : made));
      });
    },
  };
}

/**
 * Returns the attributes for the review's own group. Undefined when the request is not for an access review in core.
 */
function inGroup(attributes: Attributes): Attributes | undefined {
  if (attributes.resource === undefined) return undefined;
  const resource = groupResourceOf(attributes.resource);
  return resource === undefined ? undefined : { ...attributes, resource: { ...attributes.resource, group, resource } };
}

type Target = Pick<ResourceTarget, 'group' | 'version' | 'resource' | 'namespace'>;

/**
 * The resource in `authorization.k8s.io` that corresponds to an access review under `/api/v1`. Undefined for others.
 */
function groupResourceOf({ group: requested, version, resource, namespace }: Target): string | undefined {
  if (resource !== plural || requested !== '' || version !== 'v1') return undefined;
  return namespace === '' ? plural : localPlural;
}

/** Clients that use the core path may send bodies with the core version. */
const alsoRead = ['v1'];

interface ReviewServices {
  readonly authorizer: Authorizer;
  readonly admission: VirtualAdmission | undefined;
}

function anywhereReviews({ definition, subresources }: Resource, { authorizer, admission }: ReviewServices): Resource {
  const type = new ReviewType({ definition, alsoRead });
  const verbs = reviewVerbs(type, admission, (review) => reviewSubjectAccess(authorizer, review));
  return { definition, subresources, verbs };
}

/** Accepts both kinds of bodies, and answers in the kind that was sent. */
function localReviews(
  { definition, subresources }: Resource,
  { local, authorizer, admission }: ReviewServices & { readonly local: Resource },
): Resource {
  const inNamespace = { ...definition, namespaced: true, rules: local.definition.rules };
  const types = [inNamespace, local.definition].map((kind) => new ReviewType({ definition: kind, alsoRead }));
  const [byPath, byName] = types.map((type) =>
    reviewVerbs(type, admission, (review) => reviewSubjectAccess(authorizer, review)),
  );
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
      return (await openDocument(body, encoding, definition.schema)).kind;
    } catch (error) {
      // Decoding the body reports the error.
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }
}
