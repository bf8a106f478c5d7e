import { type JsonSchema, schemaOf } from './json-schema.ts';

interface FoundField {
  /** The names from the root to the field. */
  readonly names: readonly string[];
  /** The path as errors show it: `spec.labels[team]`. */
  readonly text: string;
  /** Undefined when a parent accepts any value. */
  readonly schema: JsonSchema | undefined;
}

const tokenSyntax = /'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/gs;

/**
 * Returns the field of a schema at a path such as `.spec.replicas` or `.spec['a key']`, or an error message when there
 * is none. `indexes: false` rejects brackets.
 */
export function findField(path: string, root: JsonSchema, options: { indexes: boolean }): FoundField | string {
  const tokens = path.match(tokenSyntax) ?? [];
  const names: string[] = [];
  let text = '';
  let schema: JsonSchema | undefined = root;
  for (let at = 0; at < tokens.length; at++) {
    const opener = tokens[at]!;
    if (opener !== '.' && opener !== '[') return `expected [ or . but got: ${opener}`;
    if (opener === '[' && !options.indexes) return 'array notation is not allowed';
    const token = tokens[++at];
    if (token === undefined) return 'unexpected end of JSON path';
    const name = opener === '.' ? token : quotedName(token);
    if (name === undefined) return `expected single quoted string but got ${token}`;
    const next = member(schema, name);
    if (next === undefined) return 'does not refer to a valid field';
    names.push(name);
    if (next.isKey) text += `[${name}]`;
    else text += text === '' ? name : `.${name}`;
    schema = next.schema;
    if (opener !== '[') continue;
    const closer = tokens[++at];
    if (closer === undefined) return 'unexpected end of JSON path';
    if (closer !== ']') return `expected ] but got ${closer}`;
  }
  return { names, text, schema };
}

interface Member {
  readonly schema: JsonSchema | undefined;
  readonly isKey: boolean;
}

function member(schema: JsonSchema | undefined, name: string): Member | undefined {
  if (schema?.properties !== undefined) {
    return Object.hasOwn(schema.properties, name) ? { schema: schema.properties[name], isKey: false } : undefined;
  }
  if (schema?.additionalProperties === undefined) return undefined;
  return { schema: schemaOf(schema.additionalProperties), isKey: true };
}

function quotedName(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  return token.slice(1, -1).replace(/\\(.)/gs, '$1');
}
