import { closeBrace, comma, memberAt, noMember, valueEnd } from '../codec/json/document-members.ts';

const metadataName = Buffer.from('metadata');

/**
 * Returns the JSON text of a member of `metadata` without parsing the rest of the document; an empty text when there is
 * no such member. Returns undefined when the document differs from the encoder's output (whitespace, or unneeded
 * escapes in names). The caller must use a parser in this case.
 */
export function metadataText(document: Buffer, name: Buffer): string | undefined {
  const metadata = memberAt(document, 0, metadataName);
  const member = metadata < 0 ? metadata : memberAt(document, metadata, name);
  if (member < 0) return member === noMember && metadata >= 0 ? '' : undefined;
  const end = valueEnd(document, member);
  return document[end] === comma || document[end] === closeBrace ? document.toString('utf8', member, end) : undefined;
}
