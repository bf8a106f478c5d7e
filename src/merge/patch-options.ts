export interface PatchOptions {
  /** `Ignore` validates the patch less strictly and changes the wording of errors. Default `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Strict' | 'Warn';
}
