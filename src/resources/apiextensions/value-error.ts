import { type FieldError, invalidValue } from '../../meta/field-error.ts';

/** The location of a value: the field of the root value, and the path in it, which error messages repeat. */
export interface ValueAt {
  readonly field: string;
  readonly name: string;
}

/** The location of the value under validation, and the list that collects the errors. */
export interface Check {
  readonly at: ValueAt;
  readonly errors: FieldError[];
}

export function valueError(value: unknown, { at, text }: { readonly at: ValueAt; readonly text: string }): FieldError {
  return invalidValue(pathOf(at), value, `${at.name} in body ${text}`);
}

export function pathOf({ field, name }: ValueAt): string {
  return name === '' ? field : `${field}.${name}`;
}
