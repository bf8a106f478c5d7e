import { type FieldError, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors, patternDetail } from '../../../meta/names.ts';
import { portNameErrors } from '../service/port-syntax.ts';

const headerName = /^[-A-Za-z0-9]+$/;
const notHeaderName = patternDetail(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  ['X-Header-Name'],
);
/** Printable ASCII without the equals sign. */
const variableName = /^[ -<>-~]+$/;
const notVariableName =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const notPort = 'must be between 1 and 65535, inclusive';
const notId = 'must be between 0 and 2147483647, inclusive';
const maxId = 2_147_483_647;
const maxFileMode = 0o777;

/** Collects the errors of one object. */
export type Errors = FieldError[];

export function checkDnsLabel(value: string, field: string, errors: Errors): void {
  for (const detail of dnsLabelErrors(value)) errors.push(invalidValue(field, value, detail));
}

export function checkSubdomain(value: string, field: string, errors: Errors): void {
  for (const detail of dnsSubdomainErrors(value)) errors.push(invalidValue(field, value, detail));
}

/** Adds an error when the value is absent or empty. Returns whether it is present. */
export function checkPresent(value: string | undefined, field: string, errors: Errors): value is string {
  if (value) return true;
  errors.push(requiredValue(field));
  return false;
}

export function checkPortNumber(port: number, field: string, errors: Errors): void {
  if (port < 1 || port > 65535) errors.push(invalidValue(field, port, notPort));
}

/** A port number, or the name of a container port. */
export function checkPort(port: number | string | undefined, field: string, errors: Errors): void {
  if (typeof port === 'string') {
    for (const detail of portNameErrors(port)) errors.push(invalidValue(field, port, detail));
  } else {
    checkPortNumber(port ?? 0, field, errors);
  }
}

export function checkHeaderName(name: string, field: string, errors: Errors): void {
  if (!headerName.test(name)) errors.push(invalidValue(field, name, notHeaderName));
}

export function checkVariableName(name: string, field: string, errors: Errors): void {
  if (!variableName.test(name)) errors.push(invalidValue(field, name, notVariableName));
}

/** A numeric user or group ID. */
export function checkId(id: number | undefined, field: string, errors: Errors): void {
  if (id !== undefined && (id < 0 || id > maxId)) errors.push(invalidValue(field, id, notId));
}

export function checkFileMode(mode: number | undefined, field: string, errors: Errors): void {
  if (mode === undefined || (mode >= 0 && mode <= maxFileMode)) return;
  errors.push(invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

export function hasBacksteps(path: string): boolean {
  return path.includes('..') && path.split('/').includes('..');
}

export function checkNoBacksteps(path: string, field: string, errors: Errors): void {
  if (hasBacksteps(path)) errors.push(invalidValue(field, path, "must not contain '..'"));
}

/** A relative path that does not leave its base directory. */
export function checkDescendingPath(path: string, field: string, errors: Errors): void {
  if (path.startsWith('/')) errors.push(invalidValue(field, path, 'must be a relative path'));
  checkNoBacksteps(path, field, errors);
}

/** A relative path whose first segment may not start with two dots: the kubelet reserves such names. */
export function checkNonReservedPath(path: string, field: string, errors: Errors): void {
  if (path.startsWith('/')) errors.push(invalidValue(field, path, 'must be a relative path'));
  checkUnreservedName(path, field, errors);
}

/** Like `checkNonReservedPath`, but the path may be absolute. */
export function checkUnreservedName(path: string, field: string, errors: Errors): void {
  checkNoBacksteps(path, field, errors);
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalidValue(field, path, "must not start with '..'"));
  }
}
