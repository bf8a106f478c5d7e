/** A step of a path. It maps a list of values to a list of values. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'descent' }
  | Slice
  | { readonly kind: 'union'; readonly paths: readonly Steps[] }
  | Filter
  /** `once` is set for texts: they are a result even when there are no values. Other constants replace each value. */
  | { readonly kind: 'constant'; readonly value: string | number | bigint | boolean; readonly once: boolean }
  /** A word outside of quotes. It is accepted in a path but has no meaning there. */
  | { readonly kind: 'word' };

export type Steps = readonly Step[];

export interface Slice {
  readonly kind: 'slice';
  /** Negative numbers count from the end, here and in `to`. */
  readonly from: number;
  /** Exclusive. Undefined for the end of the array. */
  readonly to: number | undefined;
  /** Whether this is an index and not a range. Then `to` 0 is the end of the array. */
  readonly isIndex: boolean;
  readonly step: number;
}

export interface Filter {
  readonly kind: 'filter';
  readonly left: Steps;
  /** Undefined when the filter only checks whether `left` has a result. */
  readonly comparison: { readonly operator: string; readonly right: Steps } | undefined;
}
