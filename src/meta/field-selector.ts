import { goQuote } from './go-quote.ts';
import { apiVersionOf } from './group-version.ts';
import type { ResourceObject } from './object.ts';
import { maxRequirements, tooManyRequirements } from './selector-bounds.ts';
import { badRequest } from './status-error.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** The fields that a type supports in field selectors. */
export interface FieldSelectorRules {
  /**
   * Getters of the selectable fields other than metadata.name and metadata.namespace. An unset field is the empty
   * string.
   */
  readonly fields: Readonly<Record<string, (object: ResourceObject) => string>>;
  /** Selects the wording of the error for an unsupported field. */
  readonly refusal: 'notSupported' | 'notSupportedForKind' | 'notSupportedForGroupVersionKind';
  /** False for the few types that do not support metadata.namespace. Default true. */
  readonly metadataNamespace?: boolean;
  /** Fields that are worth an index, because clients use them to watch a few of many objects. */
  readonly indexed?: readonly string[];
}

/** A conjunction of requirements on fields. An empty one selects every object. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  /** Returns the value that some requirement demands of the field, if any. Another requirement may contradict it. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.operator === '=' && requirement.field === field)?.value;
  }

  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escaped(value)}`).join(',');
  }
}

const everything = new FieldSelector([]);

/**
 * Parses the query parameter `fieldSelector`: comma-separated terms `path=value`, `path==value` or `path!=value`. In a
 * value, a backslash escapes a comma, an equals sign or a backslash. Does not check whether the type supports the
 * fields; see `checkFieldSelector`.
 *
 * @throws StatusError 400
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everything;
  const terms = termsOf(text).filter((term) => term !== '');
  if (terms.length > maxRequirements) throw tooManyRequirements();
  const requirements = terms.sort().map((term) => requirementOf(term, text));
  // A requirement for an empty field name with an empty value matches every object, so it is not a selector.
  if (requirements.every(({ field, operator, value }) => field === '' && operator === '=' && value === '')) {
    return everything;
  }
  return new FieldSelector(requirements);
}

/** Splits at commas that are not escaped by a backslash. */
function termsOf(text: string): string[] {
  return text.match(/(?:\\.|\\$|[^\\,])+/gs) ?? [];
}

function requirementOf(term: string, selector: string): FieldRequirement {
  const match = /^(.*?)(!=|==?)(.*)$/s.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value) };
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found, character: string | undefined) => {
    if (character === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    }
    if (character === '\\' || character === ',' || character === '=') return character;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

function escaped(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

interface SelectedType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined for the many types that support only metadata.name and metadata.namespace. */
  readonly rules: FieldSelectorRules | undefined;
}

/**
 * Rejects fields that the type does not support in field selectors.
 *
 * @throws StatusError 400
 */
export function checkFieldSelector(selector: FieldSelector, type: SelectedType): void {
  for (const { field } of selector.requirements) {
    if (!isSelectable(field, type.rules)) throw badRequest(refusal(field, type));
  }
}

function isSelectable(field: string, rules: FieldSelectorRules | undefined): boolean {
  if (field === 'metadata.name') return true;
  if (field === 'metadata.namespace') return rules?.metadataNamespace !== false;
  return rules !== undefined && Object.hasOwn(rules.fields, field);
}

function refusal(field: string, { group, version, kind, rules }: SelectedType): string {
  switch (rules?.refusal) {
    case undefined:
      return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
    case 'notSupported':
      return `field label not supported: ${field}`;
    case 'notSupportedForKind':
      return `field label ${goQuote(field)} not supported for ${kind}`;
    case 'notSupportedForGroupVersionKind':
      // Go prints the slash of a group version even when the group is empty.
      return `field label not supported for ${group === '' ? '/' : ''}${apiVersionOf({ group, version })}, Kind=${kind}: ${field}`;
  }
}
