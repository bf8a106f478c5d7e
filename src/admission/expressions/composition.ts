import { type CelField, type CelType, dynType, listType, mapType, type ObjectType } from '../../cel/index.ts';
import { type CompiledExpression, compileAdmissionExpression } from './compiled-expression.ts';
import { environment, type ObjectTypes } from './environment.ts';

/**
 * The named expressions of a policy. Later ones, and all other expressions of the policy, can use the earlier ones as
 * fields of `variables`.
 */
export class Composition {
  readonly #hasParams: boolean;
  readonly #types: ObjectTypes | undefined;
  readonly #fields: Record<string, CelField> = Object.create(null);
  readonly #expressions = new Map<string, CompiledExpression>();
  readonly #names = new Set<string>();
  /** The type of `variables` with those declared so far. */
  readonly type: ObjectType = { kind: 'object', name: 'kubernetes.variables', fields: this.#fields, maxElements: 0 };

  constructor(options: { readonly hasParams: boolean; readonly types?: ObjectTypes }) {
    this.#hasParams = options.hasParams;
    this.#types = options.types;
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  get(name: string): CompiledExpression | undefined {
    return this.#expressions.get(name);
  }

  /** Declares another one. If a name is declared again, the last expression is used. */
  declare(name: string, text: string): CompiledExpression {
    const compiled = compileAdmissionExpression(text, { environment: this.environment({ hasAuthorizer: true }) });
    this.#fields[name] = { type: compiled.program === undefined ? dynType : fieldType(compiled.program.type) };
    this.#expressions.set(name, compiled);
    this.#names.add(name);
    return compiled;
  }

  /** The variables of the other expressions of the policy. */
  environment({ hasAuthorizer }: { readonly hasAuthorizer: boolean }): Readonly<Record<string, CelType>> {
    return environment({ hasParams: this.#hasParams, hasAuthorizer, variables: this.type, types: this.#types });
  }
}

const simpleKinds: ReadonlySet<CelType['kind']> = new Set<CelType['kind']>([
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

/** As a field, a variable keeps only types that JSON can represent. */
function fieldType(type: CelType): CelType {
  if (type.kind === 'list') return listType(fieldType(type.items));
  if (type.kind === 'map') return mapType(fieldType(type.keys), fieldType(type.values));
  return simpleKinds.has(type.kind) ? type : dynType;
}
