import { dynType, type ObjectType, stringType } from '../checker/cel-type.ts';
import { defineFunction, type MessageTypes } from '../checker/declarations.ts';
import { kubernetesFunctions } from './kubernetes-functions.ts';
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
 * The objects that mutations construct: `JSONPatch` is one operation. `Object` is a configuration, and `Object.spec`
 * the type of its field `spec`. Such objects may have any fields.
 */
export const patchTypes: MessageTypes = (name) => {
  if (name === jsonPatchType.name) return jsonPatchType;
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, maxElements: 0, fields: {}, rest: dynType };
};

/** The functions of mutations: those of all expressions, and one for the paths of patches. */
export const patchFunctions = kubernetesFunctions.with(
  defineFunction(
    'jsonpatch.escapeKey',
    { '(string): string': (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1') },
    { cost: textCost },
  ),
);
