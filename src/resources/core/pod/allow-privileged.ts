import type { FieldError } from '../../../meta/field-error.ts';
import type { ResourceDefinition, SubresourceRules } from '../../../registry/resource-definition.ts';
import { isPrivilegedError } from './security-context-validation.ts';

type Validate<A extends unknown[]> = (...objects: A) => FieldError[];

/** Returns the definitions with privileged containers allowed in pods and pod templates. */
export function allowPrivileged(definitions: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  return definitions.map((definition) => (hasPods(definition) ? withPrivileged(definition) : definition));
}

const groups: ReadonlySet<string> = new Set(['', 'apps', 'batch']);

function hasPods({ group, rules }: ResourceDefinition): boolean {
  return groups.has(group) && rules.validate !== undefined;
}

function withPrivileged(definition: ResourceDefinition): ResourceDefinition {
  const { validate, validateUpdate, validateStatus, subresourceRules } = definition.rules;
  return {
    ...definition,
    rules: {
      ...definition.rules,
      ...(validate && { validate: withoutPrivilegedErrors(validate) }),
      ...(validateUpdate && { validateUpdate: withoutPrivilegedErrors(validateUpdate) }),
      ...(validateStatus && { validateStatus: withoutPrivilegedErrors(validateStatus) }),
      ...(subresourceRules && {
        subresourceRules: Object.fromEntries(
          Object.entries(subresourceRules).map(([name, subresource]) => [name, privilegedSubresource(subresource)]),
        ),
      }),
    },
  };
}

function privilegedSubresource(subresource: SubresourceRules): SubresourceRules {
  return subresource.validate === undefined
    ? subresource
    : { ...subresource, validate: withoutPrivilegedErrors(subresource.validate) };
}

function withoutPrivilegedErrors<A extends unknown[]>(validate: Validate<A>): Validate<A> {
  return (...objects) => {
    const errors = validate(...objects);
    return errors.length === 0 ? errors : errors.filter((error) => !isPrivilegedError(error));
  };
}
