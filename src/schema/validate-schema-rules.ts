import { type FieldError, notSupportedValue, requiredValue } from '../meta/field-error.ts';
import type { Field, Schema, StructSchema } from './model.ts';
import { isEmpty, isObject, type Rule, rulesOf } from './schema-rules.ts';

export interface SchemaRuleOptions {
  /** The path of the object: empty for a whole object, otherwise for example `spec.template`. */
  readonly path: string;
  /** Errors from the validation of the type. They take precedence: no errors are added for the same fields. */
  readonly known?: readonly FieldError[];
}

/**
 * Checks the rules in the schema itself: required fields are present, and values with an enum are one of its values.
 * Expects objects in canonical form, where empty and absent are the same. Skips the status, which only controllers
 * write.
 */
export function validateSchemaRules(schema: StructSchema, object: unknown, options: SchemaRuleOptions): FieldError[] {
  const { path, known = [] } = options;
  const check = new RuleCheck();
  check.visitStruct(schema, object, { parent: undefined, segment: path });
  if (check.errors.length === 0 || known.length === 0) return check.errors;
  const knownFields = new Set(known.map(({ field }) => field));
  return check.errors.filter(({ field }) => !knownFields.has(field));
}

/** A path that is formatted only when an error needs it. */
interface ValuePath {
  readonly parent: ValuePath | undefined;
  /** A field name, a map key in brackets, or an index. At the root, the path of the object. */
  readonly segment: string | number;
}

class RuleCheck {
  readonly errors: FieldError[] = [];

  visitStruct(schema: StructSchema, value: unknown, path: ValuePath): void {
    if (!isObject(value)) return;
    for (const rule of rulesOf(schema)) {
      const { field } = rule;
      if (rule.inline) this.visitStruct(field.schema as StructSchema, value, path);
      else if (!isStatus(field, path)) this.#visitField(rule, value[field.name], path);
    }
  }

  #visitField({ field, ruled, inside }: Rule, value: unknown, owner: ValuePath): void {
    if (isEmpty(value)) {
      if (ruled && field.required === true) this.errors.push(requiredValue(pathOf(owner, field.name)));
      return;
    }
    if (ruled && field.enum !== undefined) this.#checkChoice(field, value, owner);
    if (inside) this.#visit(field.schema, value, { parent: owner, segment: field.name });
  }

  #visit(schema: Schema, value: unknown, path: ValuePath): void {
    switch (schema.type) {
      case 'scalar':
        return;
      case 'struct':
        this.visitStruct(schema, value, path);
        return;
      case 'list':
        if (!Array.isArray(value)) return;
        for (let index = 0; index < value.length; index++) {
          this.#visit(schema.items, value[index], { parent: path, segment: index });
        }
        return;
      case 'map':
        if (!isObject(value)) return;
        for (const key of Object.keys(value)) {
          this.#visit(schema.values, value[key], { parent: path, segment: `[${key}]` });
        }
    }
  }

  #checkChoice(field: Field, value: unknown, owner: ValuePath): void {
    const choice = field.enum ?? [];
    if (choice.includes(value as string)) return;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, element] of values.entries()) {
      if (choice.includes(element as string)) continue;
      // The empty string means "not set" and is not listed as a supported value.
      const supported = choice.filter((text) => text !== '').sort();
      const path = pathOf(owner, field.name);
      this.errors.push(notSupportedValue(Array.isArray(value) ? `${path}[${index}]` : path, element, supported));
    }
  }
}

function pathOf(owner: ValuePath | undefined, name: string): string {
  let path = name;
  for (let step = owner; step !== undefined; step = step.parent) {
    const segment = typeof step.segment === 'number' ? `[${step.segment}]` : step.segment;
    if (segment !== '') path = path.startsWith('[') ? segment + path : `${segment}.${path}`;
  }
  return path;
}

const isStatus = (field: Field, { parent, segment }: ValuePath): boolean =>
  field.name === 'status' && parent === undefined && segment === '';
