import {
  type DerElement,
  DerError,
  DerReader,
  integerTag,
  objectIdentifier,
  objectIdentifierTag,
  sequenceTag,
} from '../../pki/der-reader.ts';
import { nextPemBlock } from '../../pki/pem.ts';

const setTag = 0x31;
const organization = '2.5.4.10';
/** Big-endian strings of two and of four bytes per character. */
const bmpString = 0x1e;
const universalString = 0x1c;

/** Returns the organizations in the subject of a request in base64 of PEM. Empty when it cannot be decoded. */
export function requestedOrganizations(request: string): string[] {
  const block = nextPemBlock(Buffer.from(request, 'base64').toString('latin1'));
  if (block?.type !== 'CERTIFICATE REQUEST') return [];
  try {
    return [...organizationsOf(block.bytes)];
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

function* organizationsOf(bytes: Buffer): Generator<string> {
  const request = new DerReader(new DerReader(bytes).next(sequenceTag).content);
  const fields = new DerReader(request.next(sequenceTag).content);
  fields.next(integerTag);
  const subject = new DerReader(fields.next(sequenceTag).content);
  while (!subject.atEnd) {
    const names = new DerReader(subject.next(setTag).content);
    while (!names.atEnd) {
      const name = new DerReader(names.next(sequenceTag).content);
      const isOrganization = objectIdentifier(name.next(objectIdentifierTag)) === organization;
      const value = name.next();
      if (isOrganization) yield textOf(value);
    }
  }
}

/** Decodes all string types, because other signers may accept types that this server does not issue. */
function textOf({ tag, content }: DerElement): string {
  const width = tag === bmpString ? 2 : tag === universalString ? 4 : 1;
  if (width === 1) return content.toString();
  let text = '';
  for (let at = 0; at + width <= content.length; at += width) {
    const code = content.readUIntBE(at, width);
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}
