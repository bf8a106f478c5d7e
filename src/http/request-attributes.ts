import { type Attributes, type RequestedResource, readSelectors, wellFormed } from '../authz/index.ts';
import { parseFieldSelector } from '../meta/field-selector.ts';
import { pathSegmentErrors } from '../meta/names.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceTarget } from './request-info.ts';

/** The attributes of a request for authorization. Throws the 401 when there is no user. */
export function requestAttributes(context: RequestContext, verb: string): Attributes {
  const { path, target } = context.info;
  const user = context.knownUser;
  if (target === undefined) return { user, verb, path };
  const resource = requested(context, target);
  if (!selectiveVerbs.has(verb) || !context.exchange.query.includes('Selector')) return { user, verb, resource };
  return { user, verb, resource, selectors: () => readSelectors(selectorTexts(context)) };
}

const selectiveVerbs = new Set(['list', 'watch', 'deletecollection']);

function requested(context: RequestContext, target: ResourceTarget): RequestedResource {
  const { name, namespace, resource } = target;
  if (name !== '') {
    // For authorization, a Namespace object is in the namespace of its own name: a user with all permissions in it may
    // also read it.
    return resource === 'namespaces' && namespace === '' ? { ...target, namespace: name } : target;
  }
  const { verb } = context.info;
  if (verb !== 'list' && verb !== 'watch') return target;
  // A collection request for one name needs only the permission for that object.
  const text = context.parameter('fieldSelector');
  if (!text.includes('metadata.name')) return target;
  // The handler reports an invalid selector.
  const selected = wellFormed(() => parseFieldSelector(text))?.requiredValue('metadata.name');
  return selected === undefined || pathSegmentErrors(selected).length > 0 ? target : { ...target, name: selected };
}

function selectorTexts(context: RequestContext): Parameters<typeof readSelectors>[0] {
  return { fields: context.parameter('fieldSelector'), labels: context.parameter('labelSelector') };
}
