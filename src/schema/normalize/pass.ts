/** The state of one normalization of one object. */
export interface Pass {
  readonly defaults: boolean;
  /** Keeps nulls that are not allowed in a custom object, so that validation finds them. */
  readonly keepsNulls?: boolean;
  /** Sorts the keys in values of arbitrary JSON types. */
  readonly sortsKeys?: boolean;
  /** Set when an unknown field was dropped. The slow walk determines its path afterwards. */
  unknown: boolean;
  /** Set when the input has an empty list or map. */
  explicitEmpty?: boolean;
  /** The size of the defaults of custom fields that were set so far. */
  defaulted?: DefaultedSize;
  /** Set when a field may violate a rule of its schema; `validateSchemaRules` then checks precisely. */
  needsSchemaCheck: boolean;
}

export interface DefaultedSize {
  bytes: number;
  values: number;
}

/** Checks a value other than undefined and null and returns its canonical form. Null means empty, and so unset. */
export type Normalizer = (value: unknown, pass: Pass) => unknown;
