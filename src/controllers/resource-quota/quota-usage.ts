import type { DiscoveredResource, Informer } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../../meta/quantity.ts';

export interface Quota extends ResourceObject {
  readonly spec?: { readonly hard?: Amounts };
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts };
}

export type Amounts = Readonly<Record<string, string>>;

type Type = Pick<DiscoveredResource, 'group' | 'resource'>;

/** How quotas count. The controller and the admission plugin share one implementation. */
export interface QuotaMeasure {
  /** Whether a limit of this name counts objects of the type. */
  concerns(type: Type, name: string): boolean;
  /** Whether the usage depends on more than metadata. */
  needsWholeObjects(type: Type): boolean;
  /** The usage of the object, by names of limits. */
  usage(type: Type, object: ResourceObject): Amounts;
  isInScopes(type: Type, quota: ResourceObject, object: ResourceObject): boolean;
}

export interface Counted {
  readonly type: DiscoveredResource;
  readonly informer: Informer;
}

/** Sums up the usage of existing objects. */
export class QuotaUsage {
  readonly #measure: QuotaMeasure;
  /** Informer objects are immutable and counted often, so their usage is cached. */
  readonly #known = new WeakMap<ResourceObject, ReadonlyMap<string, Quantity>>();

  constructor(measure: QuotaMeasure) {
    this.#measure = measure;
  }

  of(type: DiscoveredResource, object: ResourceObject): ReadonlyMap<string, Quantity> {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    const usage = Object.entries(this.#measure.usage(type, object));
    const amounts = new Map(usage.map(([name, amount]) => [name, parseQuantity(amount)]));
    this.#known.set(object, amounts);
    return amounts;
  }

  /**
   * The usage of the limits of the quota by the objects in its namespace. Omits limits that count none of the types.
   */
  total(quota: Quota, types: readonly Counted[]): Amounts {
    const names = Object.keys(quota.spec?.hard ?? {});
    const sums = new Map<string, Quantity>();
    for (const { type, informer } of types) {
      const limits = names.filter((name) => this.#measure.concerns(type, name));
      for (const name of limits) sums.set(name, sums.get(name) ?? parseQuantity('0'));
      for (const object of informer.byIndex('namespace', quota.metadata.namespace ?? '')) {
        if (!this.#measure.isInScopes(type, quota, object)) continue;
        const usage = this.of(type, object);
        for (const name of limits) {
          const amount = usage.get(name);
          if (amount !== undefined) sums.set(name, addQuantities(sums.get(name)!, amount));
        }
      }
    }
    return Object.fromEntries(Array.from(sums, ([name, amount]) => [name, formatQuantity(amount)]));
  }
}

export function isSameAmounts(left: Amounts | undefined, right: Amounts): boolean {
  if (left === undefined || Object.keys(left).length !== Object.keys(right).length) return false;
  return Object.entries(right).every(([name, amount]) => {
    const other = left[name];
    return other !== undefined && compareQuantities(parseQuantity(other), parseQuantity(amount)) === 0;
  });
}
