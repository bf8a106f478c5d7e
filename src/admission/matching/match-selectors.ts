import type { LabelSelector } from '../../meta/label-selector.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type ObjectLabelSelector, objectLabelSelector } from '../../meta/object-label-selector.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { notFound } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import type { MatchConstraints } from './match-constraints.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const compiled = new WeakMap<ObjectLabelSelector, LabelSelector>();

/**
 * Whether the labels of a request match, those of its namespace and those of its object. Fails with a 404 when the
 * namespace does not exist.
 */
export function matchesSelectors(
  { namespaceSelector, objectSelector }: Pick<MatchConstraints, 'namespaceSelector' | 'objectSelector'>,
  request: AdmissionRequest,
  objects: ObjectReader,
): MaybePromise<boolean> {
  if (!matchesObject(selectorOf(objectSelector), request)) return false;
  const selector = selectorOf(namespaceSelector);
  // Objects outside of namespaces are not exempted by labels, except for namespaces themselves.
  if (selector === undefined || request.namespace === '') return true;
  return mapMaybe(namespaceLabels(request, objects), (labels) => selector.matches(labels));
}

/** Undefined when it selects everything. */
function selectorOf(selector: ObjectLabelSelector | undefined): LabelSelector | undefined {
  if (selector === undefined) return undefined;
  let known = compiled.get(selector);
  if (known === undefined) {
    known = objectLabelSelector(selector);
    compiled.set(selector, known);
  }
  return known.empty ? undefined : known;
}

/** Either the old or the new object must match, so that changing a label does not bypass the check. */
function matchesObject(selector: LabelSelector | undefined, { object, oldObject }: AdmissionRequest): boolean {
  if (selector === undefined) return true;
  const matches = (value: ResourceObject | undefined): boolean => {
    // The options of a CONNECT have no metadata and so are not selected.
    const metadata = value?.metadata as ResourceObject['metadata'] | undefined;
    return metadata !== undefined && metadata !== null && selector.matches(metadata.labels ?? {});
  };
  return matches(object) || matches(oldObject);
}

type Labels = Readonly<Record<string, string>>;

function namespaceLabels(request: AdmissionRequest, objects: ObjectReader): MaybePromise<Labels> {
  const { operation, resource, subresource, namespace, object } = request;
  const isNamespace = resource.group === '' && resource.resource === 'namespaces';
  // The stored one is outdated, or does not exist yet.
  if (isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return object.metadata.labels ?? {};
  }
  return mapMaybe(objects.get(namespaces, { namespace: '', name: namespace }), (found) => {
    if (found === undefined) throw notFound(namespaces, namespace);
    return found.metadata.labels ?? {};
  });
}
