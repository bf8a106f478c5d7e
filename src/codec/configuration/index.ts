/** Configuration that administrators write, in YAML or JSON: read field by field, with everything found that does not fit. */
export { ConfigurationFields, type Findings } from './configuration-fields.ts';
export { inContext } from './in-context.ts';
