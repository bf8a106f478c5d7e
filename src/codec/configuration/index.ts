/** Reads configuration that administrators write in YAML or JSON, field by field, and reports everything invalid. */
export { CollectedFindings } from './collected-findings.ts';
export { ConfigurationFields, type Findings } from './configuration-fields.ts';
export { inContext } from './in-context.ts';
