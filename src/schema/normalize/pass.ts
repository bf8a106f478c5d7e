/** One walk over one object. */
export interface Pass {
  readonly defaults: boolean;
  /** Set when a field was dropped because the schema does not know it. Where it was is found out afterwards. */
  unknown: boolean;
  /** Set when a field looked as if it broke a rule of its schema, which `validateSchemaRules` can tell for sure. */
  needsSchemaCheck: boolean;
}

/** Checks a value that is neither undefined nor null and returns its canonical form; null stands for "empty, so unset". */
export type Normalizer = (value: unknown, pass: Pass) => unknown;
