import { CelError, type CelProgram, type CelType, compileExpression } from '../../cel/index.ts';
import { type FieldError, invalidValue } from '../../meta/field-error.ts';

const variables = {
  claims: 'map<string, dyn>',
  user: {
    name: 'kubernetes.UserInfo',
    fields: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  },
} satisfies Record<string, CelType>;

/** Evaluation blocks the request, and claims are small. */
const maxWork = 100_000;

export interface FieldExpression {
  readonly expression: string;
  readonly variable: keyof typeof variables;
  readonly field: string;
  readonly resultTypes?: readonly string[];
}

/** Compiles an expression of the configuration. Returns undefined and adds an error when it does not compile. */
export function compileField(
  { expression, variable, field, resultTypes }: FieldExpression,
  errors: FieldError[],
): CelProgram | undefined {
  try {
    return compileExpression(expression, {
      variables: { [variable]: variables[variable] },
      resultTypes,
      maxWork,
    });
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    errors.push(invalidValue(field, expression, error.message));
    return undefined;
  }
}
