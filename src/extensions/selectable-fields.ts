import type { FieldSelectorRules } from '../meta/field-selector.ts';
import type { ResourceObject } from '../meta/object.ts';

/**
 * The selectable fields of a custom resource. Clients use them to find a few of many objects, so each field has an
 * index.
 */
export function selectableFields(paths: readonly { readonly jsonPath?: string }[]): FieldSelectorRules {
  const names = paths.map(({ jsonPath = '' }) => jsonPath.replace(/^\./, ''));
  return {
    fields: Object.fromEntries(names.map((name) => [name, reader(name.split('.'))])),
    refusal: 'notSupported',
    indexed: names,
  };
}

function reader(segments: readonly string[]): (object: ResourceObject) => string {
  return (object) => {
    let value: unknown = object;
    for (const segment of segments) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return '';
      value = (value as Record<string, unknown>)[segment];
    }
    return typeof value === 'object' || value === undefined ? '' : String(value);
  };
}
