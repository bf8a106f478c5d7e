import {
  type Attributes,
  fieldRequirements,
  labelRequirements,
  type RequestedResource,
  type RequestedSelectors,
} from '../authz/index.ts';
import { parseFieldSelector } from '../meta/field-selector.ts';
import { parseLabelSelector } from '../meta/label-selector.ts';
import { pathSegmentErrors } from '../meta/names.ts';
import { StatusError } from '../meta/status-error.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceTarget } from './request-info.ts';

/** The attributes of a request for authorization. Throws the 401 when there is no user. */
export function requestAttributes(context: RequestContext, verb: string): Attributes {
  const { path, target } = context.info;
  const user = context.knownUser;
  if (target === undefined) return { user, verb, path };
  const resource = requested(context, target);
  if (!selectiveVerbs.has(verb) || !context.exchange.query.includes('Selector')) return { user, verb, resource };
  return { user, verb, resource, selectors: () => requestedSelectors(context) };
}

const selectiveVerbs = new Set(['list', 'watch', 'deletecollection']);

function requested(context: RequestContext, target: ResourceTarget): RequestedResource {
  const { name, namespace, resource } = target;
  if (name !== '') {
    // For authorization a namespace belongs to itself: a user with all permissions in it may also read it.
    return resource === 'namespaces' && namespace === '' ? { ...target, namespace: name } : target;
  }
  const { verb } = context.info;
  if (verb !== 'list' && verb !== 'watch') return target;
  // A collection request for one name needs only the permission for that object.
  const text = context.parameter('fieldSelector');
  if (!text.includes('metadata.name')) return target;
  const selected = readable(() => parseFieldSelector(text))?.requiredValue('metadata.name');
  return selected === undefined || pathSegmentErrors(selected).length > 0 ? target : { ...target, name: selected };
}

function requestedSelectors(context: RequestContext): RequestedSelectors {
  const fields = context.parameter('fieldSelector');
  const labels = context.parameter('labelSelector');
  const fieldSelector = fields === '' ? undefined : readable(() => fieldRequirements(parseFieldSelector(fields)));
  const labelSelector = labels === '' ? undefined : readable(() => labelRequirements(parseLabelSelector(labels)));
  return { ...(fieldSelector && { fieldSelector }), ...(labelSelector && { labelSelector }) };
}

/** The handler reports an invalid selector. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
