import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import type { ServiceAccountSubject, Subject } from './flow-schema-types.ts';

/** The field of each kind, in the order in which superfluous fields are reported. */
const fieldOf = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
const kinds = Object.keys(fieldOf) as (keyof typeof fieldOf)[];

export function validateSubject(subject: Subject, path: string): FieldError[] {
  const kind = kinds.find((known) => known === subject.kind);
  if (kind === undefined) return [notSupportedValue(`${path}.kind`, subject.kind ?? '', kinds.toSorted())];
  const errors = subjectErrors(subject, kind, `${path}.${fieldOf[kind]}`);
  for (const other of kinds) {
    const field = fieldOf[other];
    if (other === kind || subject[field] === undefined) continue;
    errors.push(forbiddenValue(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`));
  }
  return errors;
}

function subjectErrors(subject: Subject, kind: keyof typeof fieldOf, path: string): FieldError[] {
  const name = fieldOf[kind];
  const value = subject[name];
  if (value === undefined) return [requiredValue(path, `${name} is required when subject kind is '${kind}'`)];
  if (kind === 'ServiceAccount') return serviceAccountErrors(value, path);
  return value.name ? [] : [requiredValue(`${path}.name`)];
}

function serviceAccountErrors({ name = '', namespace = '' }: ServiceAccountSubject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredValue(`${path}.name`));
  else if (name !== '*') {
    for (const detail of dnsSubdomainErrors(name)) errors.push(invalidValue(`${path}.name`, name, detail));
  }
  if (namespace === '') {
    errors.push(requiredValue(`${path}.namespace`, 'must specify namespace for service account'));
  } else
    for (const detail of dnsLabelErrors(namespace)) errors.push(invalidValue(`${path}.namespace`, namespace, detail));
  return errors;
}
