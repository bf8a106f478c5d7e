import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';

/** A document that cannot be parsed. */
export class YamlError extends Error {
  /** The offset of the error. */
  readonly position: number;

  constructor(message: string, position: number, options: ErrorOptions) {
    super(message, options);
    this.name = 'YamlError';
    this.position = position;
  }
}

/** Parses a document to JSON values, without dates and tags. */
export function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlError(error.reason, error.mark?.position ?? 0, { cause: error });
  }
}
