import { wellKnownConstants, wellKnownMessages } from '../library/well-known-messages.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
  StructField,
} from '../parser/expression.ts';
import { qualifiedName } from '../parser/expression.ts';
import { SourceProblems } from '../parser/source-problems.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  fieldTypeOf,
  intType,
  isDynamic,
  isOptional,
  listType,
  literalType,
  mapType,
  type ObjectType,
  optionalType,
  parametersOf,
  stringType,
  typeText,
  typeType,
} from './cel-type.ts';
import { type FunctionTable, type MessageTypes, type Overload, typeNames } from './declarations.ts';
import { resolveOverloads } from './resolve-overloads.ts';
import { isAssignable, moreGeneral, Substitution, substitute } from './unify.ts';

export interface CheckerOptions {
  readonly source: string;
  readonly variables: Readonly<Record<string, CelType>>;
  readonly functions: FunctionTable;
  readonly messages: MessageTypes;
}

/** Gives every node its type and every call its overloads. Throws a `CelError` with all problems. */
export function checkExpression(root: Expression, options: CheckerOptions): CelType {
  const checker = new Checker(options);
  checker.check(root);
  checker.problems.throwAny();
  return checker.finish(root);
}

class Checker {
  readonly problems: SourceProblems;
  readonly #variables: Readonly<Record<string, CelType>>;
  readonly #functions: FunctionTable;
  readonly #messages: MessageTypes;
  readonly #hasDottedVariables: boolean;
  readonly #locals: { readonly name: string; readonly type: CelType }[] = [];
  readonly #known = new Substitution();
  readonly #checked: Expression[] = [];

  constructor({ source, variables, functions, messages }: CheckerOptions) {
    this.problems = new SourceProblems(source);
    this.#variables = variables;
    this.#functions = functions;
    this.#messages = messages;
    this.#hasDottedVariables = Object.keys(variables).some((name) => name.includes('.'));
  }

  /** Macros use expressions several times, always with the same variables. */
  check(node: Expression): CelType {
    if (node.type !== undefined) return node.type;
    const type = this.#typeOf(node);
    node.type = type;
    this.#checked.push(node);
    return type;
  }

  /** Replaces type parameters in the whole tree once everything is known. */
  finish(root: Expression): CelType {
    for (const node of this.#checked) node.type = substitute(this.#known, node.type!, { free: 'dyn' });
    return root.type!;
  }

  #typeOf(node: Expression): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'ident':
        return this.#ident(node.name, node.position);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  #lookup(name: string): CelType | undefined {
    const plain = plainName(name);
    if (plain === name) {
      const local = this.#locals.findLast((variable) => variable.name === name);
      if (local !== undefined) return local.type;
    }
    if (Object.hasOwn(this.#variables, plain)) return this.#variables[plain];
    const type = typeNames.get(plain) ?? this.#messages(plain) ?? wellKnownMessages.get(plain)?.type;
    if (type !== undefined) return typeType(type);
    return wellKnownConstants.has(plain) ? intType : undefined;
  }

  #ident(name: string, position: number): CelType {
    return this.#lookup(name) ?? this.#undeclared(position, name);
  }

  #undeclared(position: number, name: string): CelType {
    this.problems.add(position, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #select(node: SelectExpression): CelType {
    const dotted = node.test ? undefined : this.#dottedVariable(node);
    const name = node.test || this.#startsWithVariable(node) ? dotted : qualifiedName(node);
    const type = name === undefined ? undefined : this.#lookup(name);
    if (type !== undefined) {
      node.qualifiedName = name!;
      return type;
    }
    const operand = substitute(this.#known, this.check(node.operand));
    const field = this.#field(operand, node.field, node.position);
    return node.test ? boolType : isOptional(operand) ? optionalType(field) : field;
  }

  /** The variable with a dot in its name that a chain spells, such as `authorizer.requestResource`. */
  #dottedVariable(node: SelectExpression): string | undefined {
    if (!this.#hasDottedVariables) return undefined;
    const name = qualifiedName(node);
    if (name === undefined || !Object.hasOwn(this.#variables, name)) return undefined;
    const root = name.slice(0, name.indexOf('.'));
    return this.#locals.some((variable) => variable.name === root) ? undefined : name;
  }

  /** Most chains do. The others may be the name of a type. */
  #startsWithVariable(node: SelectExpression): boolean {
    let root: Expression = node;
    while (root.kind === 'select') root = root.operand;
    return root.kind !== 'ident' || (this.#lookup(root.name)?.kind ?? 'type') !== 'type';
  }

  #field(type: CelType, name: string, position: number): CelType {
    const operand = isOptional(type) ? substitute(this.#known, type.parameters[0]!) : type;
    switch (operand.kind) {
      case 'map':
        return operand.values;
      case 'object': {
        const field = fieldTypeOf(operand, name);
        if (field !== undefined) return field;
        this.problems.add(position, `undefined field '${name}'`);
        return errorType;
      }
      case 'parameter':
        this.#known.set(operand.name, dynType);
        return dynType;
      default:
        if (!isDynamic(operand)) {
          this.problems.add(position, `type '${typeText(operand)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #call(node: CallExpression): CelType {
    if (node.name === '_?._') return this.#optionalSelect(node);
    if (node.target !== undefined) {
      const namespace = qualifiedName(node.target);
      const name = namespace === undefined ? undefined : `${namespace.replace(/^\./, '')}.${node.name}`;
      const functions = name === undefined ? undefined : this.#functions.get(name);
      if (functions !== undefined) {
        node.qualifiedName = name!;
        node.target = undefined;
        return this.#resolve(node, functions, {
          name: name!,
          types: node.args.map((argument) => this.check(argument)),
        });
      }
    }
    const name = node.name.replace(/^\./, '');
    const functions = this.#functions.get(name);
    const operands = node.target === undefined ? node.args : [node.target, ...node.args];
    const types = operands.map((operand) => this.check(operand));
    if (functions === undefined) return this.#undeclared(node.position, name);
    return this.#resolve(node, functions, { name, types });
  }

  #optionalSelect(node: CallExpression): CelType {
    const [operand, field] = node.args as readonly [Expression, Expression];
    const type = substitute(this.#known, this.check(operand));
    field.type = stringType;
    const name = field.kind === 'literal' ? String(field.value) : '';
    return optionalType(this.#field(type, name, node.position));
  }

  #resolve(
    node: CallExpression,
    functions: readonly Overload[],
    { name, types }: { readonly name: string; readonly types: readonly CelType[] },
  ): CelType {
    if (name === '_&&_' || name === '_||_') return this.#logical(node, functions);
    const member = node.target !== undefined;
    const resolved = resolveOverloads(this.#known, functions, { member, types });
    if (resolved !== undefined) {
      node.overloads = resolved.overloads;
      return resolved.result;
    }
    const texts = types.map((type) => typeText(substitute(this.#known, type, { free: 'dyn' })));
    const operands = member ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
    this.problems.add(node.position, `found no matching overload for '${name}' applied to '${operands}'`);
    return errorType;
  }

  /** Reports each operand that is not boolean. */
  #logical(node: CallExpression, overloads: readonly Overload[]): CelType {
    let result: CelType = boolType;
    for (const operand of node.args) {
      if (isAssignable(this.#known, operand.type!, boolType)) continue;
      this.#mismatch(operand.position, boolType, operand.type!);
      result = errorType;
    }
    node.overloads = overloads;
    return result;
  }

  #list(node: ListExpression): CelType {
    let items: CelType | undefined;
    for (const [index, element] of node.elements.entries()) {
      const type = this.check(element);
      items = this.#join(items, node.optional.has(index) ? this.#unwrapped(type, element.position) : type);
    }
    return listType(items ?? this.#known.newParameter());
  }

  #map(node: MapExpression): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of node.entries) {
      keys = this.#join(keys, keyType(this.check(key)));
      const type = this.check(value);
      values = this.#join(values, optional ? this.#unwrapped(type, value.position) : type);
    }
    return mapType(keys ?? this.#known.newParameter(), values ?? this.#known.newParameter());
  }

  #struct(node: StructExpression): CelType {
    const known = this.#lookup(node.name);
    if (known === undefined) return this.#undeclared(node.position, node.name);
    const type = known.kind === 'type' ? known.of : undefined;
    const message = wellKnownMessages.get(plainName(node.name))?.message ?? type;
    if (type !== undefined && message?.kind === 'object') {
      for (const field of node.fields) this.#structField(message, field);
      return type;
    }
    const [text, what] = type === undefined ? [typeText(known), 'type'] : [typeText(type), 'message type'];
    this.problems.add(node.position, `'${text}' is not a ${what}`);
    for (const { value } of node.fields) this.check(value);
    return errorType;
  }

  #structField(struct: ObjectType, { name, value, optional, position }: StructField): void {
    const found = this.check(value);
    const type = optional ? this.#unwrapped(found, value.position) : found;
    const expected = fieldTypeOf(struct, name);
    if (expected === undefined) this.problems.add(position, `undefined field '${name}'`);
    else if (!isAssignable(this.#known, expected, type)) {
      const [wanted, given] = [expected, type].map((one) => typeText(substitute(this.#known, one, { free: 'dyn' })));
      this.problems.add(position, `expected type of field '${name}' is '${wanted}' but provided type is '${given}'`);
    }
  }

  /** The type of an optional entry. */
  #unwrapped(type: CelType, position: number): CelType {
    const known = substitute(this.#known, type);
    if (isOptional(known)) return known.parameters[0]!;
    if (known.kind !== 'dyn' && known.kind !== 'any') this.#mismatch(position, optionalType(known), known);
    return type;
  }

  /** The type of the entries of a list or map. Whether they must have one type is not decided here. */
  #join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    return isAssignable(this.#known, previous, type) ? moreGeneral(previous, type) : dynType;
  }

  #mismatch(position: number, expected: CelType, found: CelType): void {
    const text = (type: CelType): string => typeText(substitute(this.#known, type, { free: 'dyn' }));
    this.problems.add(position, `expected type '${text(expected)}' but found '${text(found)}'`);
  }

  #comprehension(node: ComprehensionExpression): CelType {
    const range = substitute(this.#known, this.check(node.range));
    const accumulator = this.check(node.init);
    const { first, second } = this.#entries(node, range);
    const scope = this.#locals.length;
    this.#locals.push({ name: node.accumulator, type: accumulator });
    const outer = this.#locals.length;
    this.#locals.push({ name: node.variable, type: first });
    if (node.variable2 !== undefined) this.#locals.push({ name: node.variable2, type: second });
    this.#assert(node.condition, boolType);
    this.#assert(node.step, accumulator);
    this.#locals.length = outer;
    const result = this.check(node.result);
    this.#locals.length = scope;
    return substitute(this.#known, result);
  }

  #entries(
    { range, variable2 }: ComprehensionExpression,
    type: CelType,
  ): { readonly first: CelType; readonly second: CelType } {
    switch (type.kind) {
      case 'list':
        return variable2 === undefined
          ? { first: type.items, second: dynType }
          : { first: intType, second: type.items };
      case 'map':
        return { first: type.keys, second: type.values };
      case 'parameter':
        this.#known.set(type.name, dynType);
        return { first: dynType, second: dynType };
      default:
        if (type.kind === 'dyn' || type.kind === 'error') return { first: dynType, second: dynType };
        this.problems.add(
          range.position,
          `expression of type '${typeText(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return { first: errorType, second: errorType };
    }
  }

  #assert(node: Expression, expected: CelType): void {
    const type = this.check(node);
    if (!isAssignable(this.#known, expected, type)) this.#mismatch(node.position, expected, type);
  }
}

/** Without the dot that stands for the outermost scope. */
function plainName(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}

/** Lists and maps cannot be keys. Types that contain each other twice at every level would be too large. */
function keyType(type: CelType): CelType {
  return parametersOf(type).length > 0 ? dynType : type;
}
