import type { CallExpression, Expression, ListExpression, MapExpression } from '../parser/expression.ts';
import type { SourceProblems } from '../parser/source-problems.ts';
import { type CelType, isOptional, typeText } from './cel-type.ts';
import { isSameType } from './unify.ts';

/** Reports lists and maps in an expression whose entries have different types. */
export class EntryTypes {
  readonly #problems: SourceProblems;
  readonly #literals: (ListExpression | MapExpression)[] = [];
  readonly #exempt = new Set<Expression>();

  constructor(problems: SourceProblems) {
    this.#problems = problems;
  }

  add(literal: ListExpression | MapExpression): void {
    this.#literals.push(literal);
  }

  /** The arguments of the call may have different types, also in the lists and maps directly inside of them. */
  exempt({ target, args }: CallExpression): void {
    if (target !== undefined) this.#exemptEntries(target);
    for (const argument of args) this.#exemptEntries(argument);
  }

  #exemptEntries(node: Expression): void {
    if (node.kind !== 'list' && node.kind !== 'map') return;
    this.#exempt.add(node);
    const entries = node.kind === 'list' ? node.elements : node.entries.flatMap(({ key, value }) => [key, value]);
    for (const entry of entries) this.#exemptEntries(entry);
  }

  validate(): void {
    for (const literal of this.#literals) {
      if (this.#exempt.has(literal)) continue;
      if (literal.kind === 'list') this.#validateList(literal);
      else this.#validateMap(literal);
    }
  }

  /** Only the first element of another type is reported. */
  #validateList({ elements, optional }: ListExpression): void {
    const [first, ...others] = elements.map((element, index) => entryType(element, optional.has(index)));
    const wrong = others.findIndex((type) => !isSameType(type, first!));
    if (wrong >= 0) this.#report(elements[wrong + 1]!, first!, others[wrong]!);
  }

  #validateMap({ entries }: MapExpression): void {
    const [first] = entries;
    if (first === undefined) return;
    const keyType = first.key.type!;
    const valueType = entryType(first.value, first.optional);
    for (const { key, value, optional } of entries) {
      if (!isSameType(key.type!, keyType)) this.#report(key, keyType, key.type!);
      const type = entryType(value, optional);
      if (!isSameType(type, valueType)) this.#report(value, valueType, type);
    }
  }

  #report({ position }: Expression, expected: CelType, found: CelType): void {
    this.#problems.add(position, `expected type '${typeText(expected)}' but found '${typeText(found)}'`);
  }
}

/** The type of the value that an optional entry may have. */
function entryType({ type }: Expression, optional: boolean): CelType {
  return optional && isOptional(type!) ? type.parameters[0]! : type!;
}
