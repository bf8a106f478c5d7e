/** Objects of one resource with the expected responses. */
export interface CorpusEntry {
  /** The path of the collection. Namespaced types use the namespace `corpus`. */
  readonly path: string;
  readonly valid: readonly ValidObject[];
  readonly invalid: readonly InvalidObject[];
}

export interface ValidObject {
  /** The special property of the object: `minimal`, `rich`, ... */
  readonly name: string;
  readonly object: CorpusObject;
  /** The response without kind, apiVersion and the values that differ for every object. */
  readonly expected: Readonly<Record<string, unknown>>;
}

export interface InvalidObject {
  readonly name: string;
  readonly object: CorpusObject;
  /** Every error as `field: message`, in order. */
  readonly errors: readonly string[];
}

export interface CorpusObject {
  readonly metadata: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}
