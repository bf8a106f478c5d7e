import { dynType, type ObjectType, stringType } from '../checker/cel-type.ts';
import { defineFunction, type MessageTypes, type Overload } from '../checker/declarations.ts';
import { textCost } from './text-costs.ts';

const jsonPatchType: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  maxElements: 0,
  fields: {
    op: { type: stringType },
    path: { type: stringType },
    from: { type: stringType },
    value: { type: dynType },
  },
};

/**
 * The objects that mutations construct: `JSONPatch` is one operation. `Object` is a configuration, and `Object.spec` the
 * type of its field `spec`. Such objects may have any fields.
 */
export const patchTypes: MessageTypes = (name) => {
  if (name === jsonPatchType.name) return jsonPatchType;
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, maxElements: 0, fields: {}, rest: dynType };
};

/** The functions of mutations beyond those of all expressions. */
export const patchFunctions: readonly Overload[] = defineFunction(
  'jsonpatch.escapeKey',
  { '(string): string': (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1') },
  { cost: textCost },
);
