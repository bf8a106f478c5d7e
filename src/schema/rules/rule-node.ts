import type { Steps } from '../../meta/turns.ts';
import { itemSchema, type JsonSchema, schemaOf } from '../structural/json-schema.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import { schemaType } from './schema-type.ts';

export interface NodeRules {
  readonly rules: readonly CompiledRule[];
  /** Whether a rule reads the value before an update. Only then can messages read it. */
  readonly readsOld: boolean;
}

/** A schema that has rules, or contains schemas that have rules. */
export class RuleNode {
  readonly schema: JsonSchema;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode> | undefined;
  readonly #isRoot: boolean;
  #rules: NodeRules | undefined;

  private constructor(schema: JsonSchema, inner: InnerNodes, { isRoot }: { isRoot: boolean }) {
    this.schema = schema;
    this.items = inner.items;
    this.values = inner.values;
    this.properties = inner.properties;
    this.#isRoot = isRoot;
  }

  /** Returns undefined when neither the schema nor a nested one has rules. */
  static of(schema: JsonSchema, options: { isRoot: boolean }): RuleNode | undefined {
    const below = (inner: JsonSchema | undefined): RuleNode | undefined =>
      inner === undefined ? undefined : RuleNode.of(inner, { isRoot: false });
    let properties: Map<string, RuleNode> | undefined;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const node = below(property);
      if (node === undefined) continue;
      properties ??= new Map();
      properties.set(name, node);
    }
    const items = below(itemSchema(schema));
    const values = below(schemaOf(schema.additionalProperties));
    const isEmpty = properties === undefined && items === undefined && values === undefined;
    if (isEmpty && !schema['x-kubernetes-validations']?.length) return undefined;
    return new RuleNode(schema, { items, values, properties }, options);
  }

  /** Undefined until `compile` has run to its end. */
  get rules(): NodeRules | undefined {
    return this.#rules;
  }

  /** Runs when the first value reaches this node. A schema whose values expressions cannot see has no rules. */
  *compile(): Steps<NodeRules> {
    const hasRules = this.schema['x-kubernetes-validations']?.length;
    const type = hasRules ? schemaType(this.schema, { isRoot: this.#isRoot }) : undefined;
    const rules = type === undefined ? [] : yield* compileRules(this.schema, type.type);
    this.#rules = { rules, readsOld: rules.some(({ isTransition }) => isTransition) };
    return this.#rules;
  }
}

interface InnerNodes {
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode> | undefined;
}

const known = new WeakMap<JsonSchema, RuleNode | false>();

/** The rules of a schema and of those nested in it. `isRoot`: it is the schema of a whole object. */
export function ruleNode(schema: JsonSchema, options: { isRoot: boolean }): RuleNode | undefined {
  let node = known.get(schema);
  if (node === undefined) {
    node = RuleNode.of(schema, options) ?? false;
    known.set(schema, node);
  }
  return node === false ? undefined : node;
}
