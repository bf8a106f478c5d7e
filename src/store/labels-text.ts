import { closeBrace, comma, memberAt, noMember, valueEnd } from '../codec/json/document-members.ts';

const metadataName = Buffer.from('metadata');
const labelsName = Buffer.from('labels');

/**
 * Returns the JSON text of `metadata.labels` without parsing the rest of the document; `{}` when there are no labels.
 * Returns undefined when the document differs from the encoder's output (whitespace, or unneeded escapes in names). The
 * caller must use a parser in this case.
 */
export function labelsText(document: Buffer): string | undefined {
  const metadata = memberAt(document, 0, metadataName);
  const labels = metadata < 0 ? metadata : memberAt(document, metadata, labelsName);
  if (labels < 0) return labels === noMember && metadata >= 0 ? '{}' : undefined;
  const end = valueEnd(document, labels);
  return document[end] === comma || document[end] === closeBrace ? document.toString('utf8', labels, end) : undefined;
}
