import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { dnsLabelErrors, dnsSubdomainErrors, patternDetail } from '../../meta/names.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';

const maxIdentifierLength = 32;
const maxPoolNameLength = 253;
const identifierSyntax = /^[A-Za-z_][A-Za-z0-9_]*$/;
const notIdentifier = patternDetail(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  '[A-Za-z_][A-Za-z0-9_]*',
  ['my_name', 'MY_NAME', 'MyName'],
);

export function validateLabelName(name: string, field: string): FieldError[] {
  return dnsLabelErrors(name).map((detail) => invalidValue(field, name, detail));
}

/** Validates a name with an optional domain prefix. */
export function validateQualifiedName(name: string, field: string): FieldError[] {
  const segments = name.split('/');
  if (segments.length === 1) return validateIdentifier(name, field);
  // kube-apiserver does not check names with several slashes.
  if (segments.length > 2) return [];
  const [domain = '', identifier = ''] = segments;
  return [
    ...(domain === '' ? [invalidValue(field, '', 'the domain must not be empty')] : validateDriverName(domain, field)),
    ...(identifier === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : validateIdentifier(identifier, field)),
  ];
}

export function validateFullyQualifiedName(name: string, field: string): FieldError[] {
  const errors = validateQualifiedName(name, field);
  if (!name.includes('/')) {
    const detail = 'a fully qualified name must be a domain and a name separated by a slash';
    errors.push(invalidValue(field, name, detail));
  }
  return errors;
}

function validateIdentifier(identifier: string, field: string): FieldError[] {
  const errors = Buffer.byteLength(identifier) > maxIdentifierLength ? [tooLong(field, maxIdentifierLength)] : [];
  if (!identifierSyntax.test(identifier)) errors.push(invalidValue(field, identifier, notIdentifier));
  return errors;
}

/** A pool name consists of DNS subdomains separated by slashes. */
export function validatePoolName(name: string, field: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const errors = Buffer.byteLength(name) > maxPoolNameLength ? [tooLong(field, maxPoolNameLength)] : [];
  for (const segment of name.split('/')) errors.push(...validateSubdomain(segment, field));
  return errors;
}

export function validateSubdomain(name: string, field: string): FieldError[] {
  return dnsSubdomainErrors(name).map((detail) => invalidValue(field, name, detail));
}

export function validateConditionType(name: string, field: string): FieldError[] {
  return labelKeyErrors(name).map((detail) => invalidValue(field, name, detail));
}

const uuidSyntax = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function validateUuid(uuid: string, field: string): FieldError[] {
  const length = Buffer.byteLength(uuid);
  if (length !== 36) return [invalidValue(field, uuid, `error validating uid: invalid UUID length: ${length}`)];
  if (!uuidSyntax.test(uuid)) return [invalidValue(field, uuid, 'error validating uid: invalid UUID format')];
  if (uuid === uuid.toLowerCase()) return [];
  const detail =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return [invalidValue(field, uuid, detail)];
}
