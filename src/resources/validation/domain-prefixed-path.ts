import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathSyntax = new RegExp(`^${pathPattern}$`);

/** Validates a name such as `acme.io/foo`. The domain keeps names of different vendors apart. */
export function validateDomainPrefixedPath(value: string, field: string): FieldError[] {
  const errors = value === '' ? [requiredValue(field)] : [];
  const slash = value.indexOf('/');
  const domain = value.slice(0, Math.max(slash, 0));
  const path = value.slice(slash + 1);
  if (slash === -1 || domain === '' || path === '') {
    return [...errors, invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  for (const detail of dnsSubdomainErrors(domain)) errors.push(invalidValue(field, domain, detail));
  if (!pathSyntax.test(path)) {
    errors.push(invalidValue(field, path, `Invalid path (regex used for validation is '${pathPattern}')`));
  }
  return errors;
}
