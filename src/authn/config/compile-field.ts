import {
  CelError,
  type CelProgram,
  type CelType,
  compileExpression,
  dynType,
  listType,
  mapType,
  objectType,
  stringType,
} from '../../cel/index.ts';
import { type FieldError, invalidValue } from '../../meta/field-error.ts';

const variables = {
  claims: mapType(stringType, dynType),
  user: objectType('kubernetes.UserInfo', {
    username: stringType,
    uid: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
  }),
} satisfies Record<string, CelType>;

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
    });
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    errors.push(invalidValue(field, expression, error.message));
    return undefined;
  }
}
