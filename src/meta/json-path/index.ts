/**
 * JSONPath as Kubernetes understands it in the printer columns of custom resources. It deviates from the standard in
 * many details, among them: a name in brackets is parsed like one after a dot, so that `['a.b']` means `.a.b`; values
 * of different types cannot be compared; an index that is out of bounds leaves no result at all.
 */
export { JsonPath, PathWork } from './json-path.ts';
