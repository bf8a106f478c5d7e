import type { Authorizer } from '../authz/index.ts';
import { mapMaybe } from '../meta/maybe-promise.ts';
import { linksPath, sessionPath } from './paths.ts';

const methods = new Set(['get', 'head', 'post', 'delete']);

/** What all authenticated users may create by default: it says who they are. */
const selfReviews = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'selfsubjectreviews',
  subresource: '',
  namespace: '',
  name: '',
};

/**
 * Adds the permissions for the console. Everyone may use the session: a sign-in brings its own secret, and visitors
 * learn that they are not signed in. A link is for users who may ask who they are. Roles can also allow the paths.
 */
export function withConsoleRights(authorizer: Authorizer): Authorizer {
  return {
    authorize(attributes) {
      const decision = authorizer.authorize(attributes);
      const { path, verb, user } = attributes;
      if ((path !== sessionPath && path !== linksPath) || !methods.has(verb)) return decision;
      return mapMaybe(decision, (made) => {
        if (made.decision !== 'no-opinion') return made;
        if (path === sessionPath) return { decision: 'allow', reason: 'the session of the console is for everyone' };
        const review = authorizer.authorize({ user, verb: 'create', resource: selfReviews });
        return mapMaybe(review, (other) => (other.decision === 'allow' ? other : made));
      });
    },
  };
}
