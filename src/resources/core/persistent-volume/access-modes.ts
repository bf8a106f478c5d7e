import { type FieldError, forbiddenValue, notSupportedValue } from '../../../meta/field-error.ts';

const single = 'ReadWriteOncePod';
const supported = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', single];
const supportedSet: ReadonlySet<string> = new Set(supported);

/** Accepts an empty list: the caller checks whether modes are required. */
export function validateAccessModes(modes: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let singles = 0;
  let others = 0;
  for (const mode of modes) {
    if (!supportedSet.has(mode)) errors.push(notSupportedValue(field, mode, supported));
    if (mode === single) singles++;
    else if (supportedSet.has(mode)) others++;
  }
  if (singles > 0 && others > 0) {
    errors.push(forbiddenValue(field, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}
