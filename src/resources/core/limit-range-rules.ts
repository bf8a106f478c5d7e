import { randomUUID } from 'node:crypto';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { type LimitRangeItem, validateLimitRange } from './limit-range-validation.ts';
import { type ResourceList, roundResources } from './resource-list.ts';

export const limitRangeRules: Partial<ResourceRules> = {
  setDefaults(range) {
    const { limits } = (range.spec ?? {}) as { limits?: LimitRangeItem[] };
    for (const item of limits ?? []) {
      if (item.type === 'Container') completeItem(item);
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
        roundResources(list);
      }
    }
  },
  prepareCreate: nameIt,
  validate: validateLimitRange,
};

/** The default limit falls back to the maximum, the default request to the default limit or the minimum. */
function completeItem(item: LimitRangeItem): void {
  item.default = completed(item.default, item.max);
  item.defaultRequest = completed(completed(item.defaultRequest, item.default), item.min);
}

function completed(own: ResourceList | undefined, fallback: ResourceList | undefined): ResourceList | undefined {
  if (fallback === undefined) return own;
  const all = Object.entries({ ...fallback, ...own });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A limit range without a name gets a random one. This behaviour predates `generateName`. */
function nameIt({ metadata }: ResourceObject): void {
  metadata.name ||= randomUUID();
}
