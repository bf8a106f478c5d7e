import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { dnsLabelErrors, dnsSubdomainErrors, maxSubdomainLength, type NameCheck } from '../../meta/names.ts';

const maxPathLength = maxSubdomainLength + 63 + 1;
const maxNameLength = maxSubdomainLength + maxPathLength + 1;

/** A signer name has the format `<domain>/<path>`. */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const [domain = '', path, ...more] = name.split('/');
  if (path === undefined || more.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, detail)];
  }
  const errors = Buffer.byteLength(domain) > maxSubdomainLength ? [tooLong(field, maxSubdomainLength)] : [];
  errors.push(...validateLabels(domain, field, dnsLabelErrors));
  if (!domain.includes('.')) {
    errors.push(invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'));
  }
  errors.push(...validateLabels(path, field, dnsSubdomainErrors));
  if (Buffer.byteLength(name) > maxNameLength) errors.push(tooLong(field, maxNameLength));
  return errors;
}

/** Reports only the first invalid label. */
function validateLabels(text: string, field: string, check: NameCheck): FieldError[] {
  for (const label of text.split('.')) {
    const details = check(label);
    if (details.length === 0) continue;
    return details.map((detail) => invalidValue(field, text, `validating label ${goQuote(label)}: ${detail}`));
  }
  return [];
}
