import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import { dnsLabelErrors } from '../../../meta/names.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { ServicePort } from '../service-types.ts';

const protocols = enumOf(ServicePort, 'protocol');
const portNameCharacters = /^[-a-z0-9]+$/;
/** Fast path: nearly every name matches this and needs no further checks. */
const portNameSyntax = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const maxPortNameLength = 15;

/** An absent port counts as 0, which is invalid. */
export function validatePortNumber(port: number | undefined, path: string): FieldError[] {
  if (port !== undefined && port >= 1 && port <= 65535) return [];
  return [invalidValue(path, port ?? 0, 'must be between 1 and 65535, inclusive')];
}

/** Validates the name of a container port. */
export function validatePortName(name: string, path: string): FieldError[] {
  return portNameErrors(name).map((detail) => invalidValue(path, name, detail));
}

export function portNameErrors(name: string): string[] {
  if (name.length <= maxPortNameLength && portNameSyntax.test(name)) return [];
  const details: string[] = [];
  if (Buffer.byteLength(name) > maxPortNameLength) details.push(`must be no more than ${maxPortNameLength} characters`);
  if (!portNameCharacters.test(name)) {
    details.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) details.push('must contain at least one letter (a-z)');
  if (name.includes('--')) details.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) details.push('must not begin or end with a hyphen');
  return details;
}

export function validatePortNumberOrName(port: number | string | undefined, path: string): FieldError[] {
  return typeof port === 'string' ? validatePortName(port, path) : validatePortNumber(port, path);
}

export function validateProtocol(protocol: string | undefined, path: string): FieldError[] {
  if (!protocol) return [requiredValue(path)];
  return protocols.includes(protocol) ? [] : [notSupportedValue(path, protocol, protocols)];
}

export function validateAppProtocol(appProtocol: string | undefined, path: string): FieldError[] {
  if (appProtocol === undefined) return [];
  return labelKeyErrors(appProtocol).map((detail) => invalidValue(path, appProtocol, detail));
}

export function validateDnsLabel(name: string, path: string): FieldError[] {
  return dnsLabelErrors(name).map((detail) => invalidValue(path, name, detail));
}
