/** Objects of one resource with what the server makes of them. */
export interface CorpusEntry {
  /** Of the collection. Namespaced types use the namespace `corpus`. */
  readonly path: string;
  readonly valid: readonly ValidObject[];
  readonly invalid: readonly InvalidObject[];
}

export interface ValidObject {
  /** What is special about it: `minimal`, `rich`, ... */
  readonly name: string;
  readonly object: CorpusObject;
  /** The response without kind and apiVersion and without what is new in every object. */
  readonly expected: Readonly<Record<string, unknown>>;
}

export interface InvalidObject {
  readonly name: string;
  readonly object: CorpusObject;
  /** Every finding as `field: message`, in order. */
  readonly errors: readonly string[];
}

export interface CorpusObject {
  readonly metadata: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}
