import { duplicateValue, type FieldError, invalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { maxSubdomainLength } from '../../meta/names.ts';

const path = 'status.declaredFeatures';
const nameSyntax = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const notName =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or " +
  'MyFeature/mySubFeature), and contain only alphanumeric characters and slashes';

/** The feature names that a node declares must be sorted and unique. */
export function validateDeclaredFeatures(features: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of features.entries()) {
    const problem = nameProblem(name);
    if (problem !== undefined) {
      errors.push(invalidValue(`${path}[${index}]`, name, `invalid feature name ${goQuote(name)}: ${problem}`));
    }
    const next = features[index + 1];
    if (next === undefined || next > name) continue;
    const at = `${path}[${index + 1}]`;
    errors.push(
      next === name ? duplicateValue(at, next) : invalidValue(at, next, 'list must be sorted alphabetically'),
    );
  }
  return errors;
}

function nameProblem(name: string): string | undefined {
  if (Buffer.byteLength(name) > maxSubdomainLength) return `must be no more than ${maxSubdomainLength} characters`;
  return nameSyntax.test(name) ? undefined : notName;
}
