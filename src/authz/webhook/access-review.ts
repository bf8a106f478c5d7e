import type { UserInfo } from '../../meta/user.ts';
import type { Attributes, RequestedSelectors, SelectorRequirement } from '../authorizer.ts';

/** The spec of a SubjectAccessReview, including empty fields. */
export interface AccessReview {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
  readonly resourceAttributes?: ReviewedResource;
  readonly nonResourceAttributes?: { readonly verb: string; readonly path: string };
}

interface ReviewedResource {
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly fieldSelector?: { readonly requirements: readonly SelectorRequirement[] };
  readonly labelSelector?: { readonly requirements: readonly SelectorRequirement[] };
}

export function accessReviewOf(attributes: Attributes): AccessReview {
  const { user, verb, resource } = attributes;
  const subject = { user: user.name, groups: user.groups, uid: user.uid, extra: user.extra };
  if (resource === undefined) return { ...subject, nonResourceAttributes: { verb, path: attributes.path } };
  const { namespace, group, version, subresource, name } = resource;
  const what = { namespace, verb, group, version, resource: resource.resource, subresource, name };
  return { ...subject, resourceAttributes: { ...what, ...selectorsOf(attributes.selectors?.()) } };
}

function selectorsOf(selectors: RequestedSelectors = {}): Partial<ReviewedResource> {
  const { fieldSelector = [], labelSelector = [] } = selectors;
  return {
    ...(fieldSelector.length > 0 && { fieldSelector: { requirements: fieldSelector } }),
    ...(labelSelector.length > 0 && { labelSelector: { requirements: labelSelector } }),
  };
}

/** Formats a review for sending: omits empty fields, and v1beta1 names the groups `group`. */
export function formatReview({ groups, ...review }: AccessReview, version: 'v1' | 'v1beta1'): object {
  const { resourceAttributes, nonResourceAttributes, ...subject } = review;
  return {
    ...(resourceAttributes && { resourceAttributes: omitEmpty(resourceAttributes) }),
    ...(nonResourceAttributes && { nonResourceAttributes: omitEmpty(nonResourceAttributes) }),
    ...omitEmpty({ ...subject, [version === 'v1' ? 'groups' : 'group']: groups }),
  };
}

function omitEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

const userKeys = new WeakMap<UserInfo, string>();

/** A cache key that is unique for a user. */
export function userKey(user: UserInfo): string {
  let key = userKeys.get(user);
  if (key === undefined) {
    key = JSON.stringify([user.name, user.uid, user.groups, user.extra]);
    userKeys.set(user, key);
  }
  return key;
}

/** A cache key that is unique for the attributes, without the user. */
export function attributesKey(attributes: Attributes): string {
  const { verb, resource } = attributes;
  if (resource === undefined) return JSON.stringify([verb, attributes.path]);
  const { group, version, subresource, namespace, name } = resource;
  const fields: unknown[] = [verb, group, version, resource.resource, subresource, namespace, name];
  const { fieldSelector, labelSelector } = attributes.selectors?.() ?? {};
  if (fieldSelector !== undefined || labelSelector !== undefined) fields.push(fieldSelector ?? [], labelSelector ?? []);
  return JSON.stringify(fields);
}
