import { memberAt, valueEnd } from './document-members.ts';
import { encodeJson } from './encode-json.ts';
import { encodeMember } from './encode-object.ts';
import { utf8Bytes } from './utf8-bytes.ts';

/** A value and the document that it was parsed from. */
export interface ParsedDocument {
  readonly object: Readonly<Record<string, unknown>>;
  readonly document: Buffer;
}

/**
 * Like `encodeObject`, for an object that shares members with an encoded one, such as a large `spec`: objects that are
 * the same in both are copied from the document.
 */
export function encodeChanged(object: Readonly<Record<string, unknown>>, encoded: ParsedDocument): Buffer {
  const pieces: Buffer[] = [];
  let text = '';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    text += `${text === '' && pieces.length === 0 ? '{' : ','}${encodeJson(name)}:`;
    const copy = typeof value === 'object' && value === encoded.object[name] ? textOf(name, encoded) : undefined;
    if (copy === undefined) {
      text += encodeMember(name, value);
    } else {
      pieces.push(utf8Bytes(text), copy);
      text = '';
    }
  }
  return Buffer.concat([...pieces, utf8Bytes(text === '' && pieces.length === 0 ? '{}' : `${text}}`)]);
}

/** Undefined when the document is not in the encoder's form. */
function textOf(name: string, { document }: ParsedDocument): Buffer | undefined {
  const start = memberAt(document, 0, Buffer.from(name));
  return start < 0 ? undefined : document.subarray(start, valueEnd(document, start));
}
