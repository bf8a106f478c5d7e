import { randomIdentity } from '../../meta/identity-source.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateLimitRange } from './limit-range-validation.ts';
import type { LimitRangeItem } from './quota-types.ts';
import { type ResourceList, roundResources } from './resource-list.ts';

export const limitRangeRules: Partial<ResourceRules> = {
  setDefaults(range) {
    const { limits } = (range.spec ?? {}) as { limits?: LimitRangeItem[] };
    for (const item of limits ?? []) {
      if (item.type === 'Container') setItemDefaults(item);
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
        roundResources(list);
      }
    }
  },
  prepareCreate: setName,
  updateChecks: ['metadata', 'object'],
  validate: validateLimitRange,
};

/** The default limit falls back to the maximum, the default request to the default limit or the minimum. */
function setItemDefaults(item: LimitRangeItem): void {
  item.default = withDefaults(item.default, item.max);
  item.defaultRequest = withDefaults(withDefaults(item.defaultRequest, item.default), item.min);
}

function withDefaults(amounts: ResourceList | undefined, fallback: ResourceList | undefined): ResourceList | undefined {
  if (fallback === undefined) return amounts;
  const all = Object.entries({ ...fallback, ...amounts });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A limit range without a name gets a random one. This behaviour predates `generateName`. */
function setName({ metadata }: ResourceObject, _user: UserInfo, identity = randomIdentity): void {
  metadata.name ||= identity.uuid(`limitranges/${metadata.namespace}`);
}
