import { closeBrace, comma, memberAt, noMember, valueEnd } from '../codec/json/document-members.ts';

const metadataName = Buffer.from('metadata');
const labelsName = Buffer.from('labels');

/**
 * The JSON text of `metadata.labels`, found without parsing anything else; `{}` when there are none. Undefined when the
 * document is not written as the encoder writes, without blanks and without escapes in names that need none: then only a
 * parser can tell.
 */
export function labelsText(document: Buffer): string | undefined {
  const metadata = memberAt(document, 0, metadataName);
  const labels = metadata < 0 ? metadata : memberAt(document, metadata, labelsName);
  if (labels < 0) return labels === noMember && metadata >= 0 ? '{}' : undefined;
  const end = valueEnd(document, labels);
  return document[end] === comma || document[end] === closeBrace ? document.toString('utf8', labels, end) : undefined;
}
