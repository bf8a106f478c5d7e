import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dns1035LabelErrors } from '../../meta/names.ts';
import type { CustomResourceDefinitionNames } from './custom-resource-definition-types.ts';

/** Checks that the mandatory names are set, after defaulting. */
export function validateNamesPresent(names: CustomResourceDefinitionNames, path: string, errors: FieldError[]): void {
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[name]) errors.push(requiredValue(`${path}.${name}`));
  }
}

/** Checks the syntax of the names that are set. */
export function validateNames(names: CustomResourceDefinitionNames, path: string, errors: FieldError[]): void {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  if (plural !== '') validateLabel(plural, `${path}.plural`, errors);
  if (singular !== '') validateLabel(singular, `${path}.singular`, errors);
  if (kind !== '') validateKind(kind, `${path}.kind`, errors);
  if (listKind !== '') validateKind(listKind, `${path}.listKind`, errors);
  for (const [index, name] of shortNames.entries()) validateLabel(name, `${path}.shortNames[${index}]`, errors);
  if (kind !== '' && kind === listKind) {
    errors.push(invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  for (const [index, name] of categories.entries()) validateLabel(name, `${path}.categories[${index}]`, errors);
}

export function validateLabel(text: string, path: string, errors: FieldError[]): void {
  const details = dns1035LabelErrors(text);
  if (details.length > 0) errors.push(invalidValue(path, text, details.join(',')));
}

function validateKind(kind: string, path: string, errors: FieldError[]): void {
  const details = dns1035LabelErrors(kind.toLowerCase());
  if (details.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${details.join(',')}`;
  errors.push(invalidValue(path, kind, detail));
}
