/**
 * Decodes YAML bytes to plain values and encodes them, as Kubernetes does. Scalars are resolved by the rules of YAML
 * 1.1, and a decoded document is its equivalent JSON value. Encoded documents are formatted as by Go's library. This
 * folder is independent of types: no defaults, no validation.
 */
export { type DecodedYaml, decodeYaml, decodeYamlInTurns } from './decode-yaml.ts';
export { encodeYaml, encodeYamlItems } from './encode-yaml.ts';
