import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import { dnsLabelErrors } from '../../../meta/names.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];
const nameCharacters = /^[-a-z0-9]+$/;
const oneLetter = /[a-z]/;
const maximumNameLength = 15;

/** An absent port counts as 0, which is invalid. */
export function validatePortNumber(port: number | undefined, path: string): FieldError[] {
  if (port !== undefined && port >= 1 && port <= 65535) return [];
  return [invalidValue(path, port ?? 0, 'must be between 1 and 65535, inclusive')];
}

/** Validates the name of a container port. */
export function validatePortName(name: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (detail: string) => errors.push(invalidValue(path, name, detail));
  if (Buffer.byteLength(name) > maximumNameLength) wrong(`must be no more than ${maximumNameLength} characters`);
  if (!nameCharacters.test(name)) wrong('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!oneLetter.test(name)) wrong('must contain at least one letter (a-z)');
  if (name.includes('--')) wrong('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) wrong('must not begin or end with a hyphen');
  return errors;
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
