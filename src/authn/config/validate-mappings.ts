import type { CelProgram } from '../../cel/index.ts';
import { duplicateValue, type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import type { JwtConfiguration, MappingConfiguration, RuleConfiguration } from './authentication-configuration.ts';
import type { MappingDocument, MappingsDocument } from './authentication-document.ts';
import { compileField } from './compile-field.ts';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathSyntax = new RegExp(`^${pathPattern}$`);
const reservedDomain = /(^|\.)(kubernetes|k8s)\.io$/;
const emailRule =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression ' +
  'or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

export interface MappingsContext {
  readonly field: string;
  /** The compiled claim validation rules, which may check `email_verified`. */
  readonly claimRules: readonly RuleConfiguration[];
}

/** Validates how claims map to a user and adds the errors to `errors`. */
export function validateMappings(
  document: MappingsDocument,
  { field, claimRules }: MappingsContext,
  errors: FieldError[],
): Pick<JwtConfiguration, 'username' | 'groups' | 'uid' | 'extra'> {
  const username = validateMapping(document.username ?? {}, { field: `${field}.username`, isRequired: true }, errors);
  const groups = validateMapping(document.groups ?? {}, { field: `${field}.groups`, isRequired: false }, errors);
  const uid = validateUid(document.uid ?? {}, `${field}.uid`, errors);
  const extra = validateExtra(document.extra ?? [], `${field}.extra`, errors);
  if (username !== undefined && 'program' in username && username.program.selects('claims', 'email')) {
    const programs = [
      username.program,
      ...extra.map(({ program }) => program),
      ...claimRules.map(({ program }) => program),
    ];
    if (!programs.some((program) => program.selects('claims', 'email_verified'))) {
      errors.push(invalidValue(`${field}.username.expression`, username.program.text, emailRule));
    }
  }
  // A missing mapping has added an error, so the caller discards this placeholder.
  return { username: username ?? { claim: '', prefix: '' }, groups, uid, extra };
}

function validateMapping(
  { claim, prefix, expression }: MappingDocument,
  { field, isRequired }: { readonly field: string; readonly isRequired: boolean },
  errors: FieldError[],
): MappingConfiguration | undefined {
  if (expression && claim) {
    errors.push(invalidValue(field, '', "claim and expression can't both be set"));
  } else if (expression) {
    if (prefix !== undefined)
      errors.push(invalidValue(`${field}.prefix`, prefix, 'may not be specified when expression is set'));
    return mappedBy(compileField({ expression, variable: 'claims', field: `${field}.expression` }, errors));
  } else if (claim) {
    if (prefix !== undefined) return { claim, prefix };
    const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    errors.push(requiredValue(`${field}.prefix`, detail));
  } else if (isRequired) {
    errors.push(requiredValue(field, 'claim or expression is required'));
  }
  return undefined;
}

function validateUid(document: MappingDocument, field: string, errors: FieldError[]): MappingConfiguration | undefined {
  const { claim, expression } = document;
  if (claim && expression) errors.push(invalidValue(field, '', "claim and expression can't both be set"));
  else if (claim) return { claim, prefix: '' };
  else if (expression) {
    return mappedBy(compileField({ expression, variable: 'claims', field: `${field}.expression` }, errors));
  }
  return undefined;
}

function mappedBy(program: CelProgram | undefined): MappingConfiguration | undefined {
  return program && { program };
}

function validateExtra(
  mappings: NonNullable<MappingsDocument['extra']>,
  field: string,
  errors: FieldError[],
): { readonly key: string; readonly program: CelProgram }[] {
  const extra: { readonly key: string; readonly program: CelProgram }[] = [];
  const seen = new Set<string>();
  for (const [index, mapping] of mappings.entries()) {
    const at = `${field}[${index}]`;
    const key = mapping.key ?? '';
    const expression = mapping.valueExpression ?? '';
    errors.push(...keyErrors(key, `${at}.key`));
    if (seen.has(key)) {
      errors.push(duplicateValue(`${at}.key`, key));
      continue;
    }
    seen.add(key);
    if (expression === '') {
      errors.push(requiredValue(`${at}.valueExpression`));
      continue;
    }
    const program = compileField({ expression, variable: 'claims', field: `${at}.valueExpression` }, errors);
    if (program !== undefined) extra.push({ key, program });
  }
  return extra;
}

/** The domain before the slash is the owner of a key. */
function keyErrors(key: string, field: string): FieldError[] {
  if (key === '') return [requiredValue(field)];
  const errors: FieldError[] = [];
  const slash = key.indexOf('/');
  const [domain, path] = [key.slice(0, Math.max(slash, 0)), key.slice(slash + 1)];
  if (domain === '' || path === '') {
    errors.push(invalidValue(field, key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else {
    for (const detail of dnsSubdomainErrors(domain)) errors.push(invalidValue(field, domain, detail));
    if (!pathSyntax.test(path)) {
      errors.push(invalidValue(field, path, `Invalid path (regex used for validation is '${pathPattern}')`));
    }
  }
  if (key !== key.toLowerCase()) errors.push(invalidValue(field, key, 'must be lowercase'));
  if (reservedDomain.test(domain)) {
    errors.push(invalidValue(field, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
  }
  return errors;
}
