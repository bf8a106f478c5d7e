export interface PatchOptions {
  /** With `Ignore` the form of a patch is checked less, and mistakes in it are worded differently. Default `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Strict' | 'Warn';
}
