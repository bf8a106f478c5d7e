import { DerError, DerReader, integerTag, objectIdentifier, objectIdentifierTag, sequenceTag } from './der-reader.ts';
import { nextPemBlock } from './pem.ts';

const setTag = 0x31;
const organization = '2.5.4.10';

/** The organizations in the subject of a request for a certificate, as base64 of PEM. None when it cannot be read. */
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
      if (isOrganization) yield value.content.toString();
    }
  }
}
