import { duplicateValue, type FieldError, tooMany } from '../../meta/field-error.ts';

/** Validates each element. Reports only the number when there are too many elements. */
export function validateEach<Element>(
  elements: readonly Element[] | null | undefined,
  field: string,
  { maximum, check }: { maximum: number; check: (element: Element, field: string) => readonly FieldError[] },
): FieldError[] {
  if (!elements) return [];
  if (elements.length > maximum) return [tooMany(field, elements.length, maximum)];
  const errors: FieldError[] = [];
  for (let index = 0; index < elements.length; index++) errors.push(...check(elements[index]!, `${field}[${index}]`));
  return errors;
}

interface SetCheck<Element> {
  readonly maximum: number;
  readonly check: (element: Element, field: string) => readonly FieldError[];
  readonly key: (element: Element) => string;
  /** Returns a duplicate element as error messages show it. Default: its key. */
  readonly shown?: (element: Element) => unknown;
}

/** Like `validateEach`, and also reports elements with the same key. */
export function validateSet<Element>(
  elements: readonly Element[] | null | undefined,
  field: string,
  { maximum, check, key, shown = key }: SetCheck<Element>,
): FieldError[] {
  const errors = validateEach(elements, field, { maximum, check });
  if (!elements || elements.length > maximum) return errors;
  const seen = new Set<string>();
  for (let index = 0; index < elements.length; index++) {
    const value = key(elements[index]!);
    if (seen.has(value)) errors.push(duplicateValue(`${field}[${index}]`, shown(elements[index]!)));
    seen.add(value);
  }
  return errors;
}
