import { field, namedString, string, struct } from '../../schema/builders.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

// Types shared by mutating and validating policies and their bindings.

export const ParamKind = struct(
  'admissionregistration/v1.ParamKind',
  () => ({
    apiVersion: field(1, string),
    kind: field(2, string),
  }),
  { atomic: true },
);

export const ParamRef = struct(
  'admissionregistration/v1.ParamRef',
  () => ({
    name: field(1, string),
    namespace: field(2, string),
    selector: field(3, LabelSelector, { pointer: true }),
    parameterNotFoundAction: field(4, namedString('admissionregistration/v1.ParameterNotFoundActionType'), {
      pointer: true,
    }),
  }),
  { atomic: true },
);

export type ParamRef = TypeOf<typeof ParamRef>;

export const Variable = struct(
  'admissionregistration/v1.Variable',
  () => ({
    name: field(1, string, { required: true, always: true }),
    expression: field(2, string, { required: true, always: true }),
  }),
  { atomic: true },
);
