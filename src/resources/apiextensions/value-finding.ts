import { type FieldError, invalidValue } from '../../meta/field-error.ts';

/** Where a value is: the field of the whole, and the name of the value in it, which findings repeat. */
export interface ValueAt {
  readonly field: string;
  readonly name: string;
}

/** The value that is looked at, and where what is found is put. */
export interface Check {
  readonly at: ValueAt;
  readonly errors: FieldError[];
}

export function differs(value: unknown, { at, text }: { readonly at: ValueAt; readonly text: string }): FieldError {
  return invalidValue(pathOf(at), value, `${at.name} in body ${text}`);
}

export function pathOf({ field, name }: ValueAt): string {
  return name === '' ? field : `${field}.${name}`;
}
