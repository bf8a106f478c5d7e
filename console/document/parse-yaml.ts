import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';

/** A document cannot be read. */
export class YamlError extends Error {
  /** Where, as an offset. */
  readonly position: number;

  constructor(message: string, position: number, options: ErrorOptions) {
    super(message, options);
    this.name = 'YamlError';
    this.position = position;
  }
}

/** Reads a document as JSON values: no dates, no tags. */
export function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlError(error.reason, error.mark?.position ?? 0, { cause: error });
  }
}
