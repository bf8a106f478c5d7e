/**
 * YAML bytes to plain values and back, as Kubernetes does it: a document is read with the scalars of YAML 1.1 and is
 * then the JSON value that it stands for; a value is written in the one form that Go's library gives it. No types, no
 * defaults, no checks here.
 */
export { type DecodedYaml, decodeYaml, decodeYamlInTurns } from './decode-yaml.ts';
export { encodeYaml, encodeYamlItems } from './encode-yaml.ts';
