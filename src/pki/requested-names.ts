import { isUtf8 } from 'node:buffer';
import { type Name, nameAttributes } from './certificate-encoding.ts';
import {
  type DerElement,
  DerError,
  DerReader,
  objectIdentifier,
  objectIdentifierTag,
  sequenceTag,
} from './der-reader.ts';

export interface AlternativeName {
  readonly kind: 'dns' | 'email' | 'ip' | 'uri';
  /** DER. */
  readonly whole: Buffer;
}

export interface RequestedNames {
  readonly subject: Name;
  readonly alternativeNames: readonly AlternativeName[];
}

/** The names in a request: its subject and the attributes after its key. Throws a `DerError` for malformed names. */
export function requestedNames(subject: DerElement, rest: DerReader): RequestedNames {
  return { subject: subjectName(subject), alternativeNames: rest.atEnd ? [] : alternativeNames(rest.next(0xa0)) };
}

const setTag = 0x31;
const octetStringTag = 0x04;
const booleanTag = 0x01;

type AttributeType = keyof typeof nameAttributes;
const attributeTypes = Object.keys(nameAttributes) as AttributeType[];
/** Attributes of which only the last value counts. */
const single: ReadonlySet<string> = new Set(['CN', 'serialNumber']);

/**
 * The subject attributes that a signer copies, in the order in which it writes them. Others are dropped, because their
 * meaning has not been approved.
 */
function subjectName({ content }: DerElement): Name {
  const found = Object.fromEntries(attributeTypes.map((type) => [type, []])) as unknown as Record<
    AttributeType,
    string[]
  >;
  for (const relativeName of elements(content, setTag)) {
    for (const attribute of elements(relativeName.content, sequenceTag)) {
      const reader = new DerReader(attribute.content);
      const id = objectIdentifier(reader.next(objectIdentifierTag));
      const type = attributeTypes.find((each) => nameAttributes[each] === id);
      const value = reader.next();
      if (type !== undefined) found[type].push(textOf(value));
    }
  }
  return attributeTypes.flatMap((type) => {
    const values = single.has(type) ? found[type].slice(-1) : found[type];
    return values.map((value) => ({ type, value }));
  });
}

const utf8Tag = 0x0c;
/** NumericString, PrintableString, TeletexString and IA5String. */
const asciiTags: ReadonlySet<number> = new Set([0x12, 0x13, 0x14, 0x16]);

/** Accepts only unambiguous encodings: the approved name must be the signed name. */
function textOf({ tag, content }: DerElement): string {
  const isText = tag === utf8Tag ? isUtf8(content) : asciiTags.has(tag) && isAscii(content);
  if (!isText) throw new DerError('x509: invalid RDNSequence: invalid attribute value');
  return content.toString();
}

const extensionRequest = '1.2.840.113549.1.9.14';
const subjectAlternativeName = '2.5.29.17';

function alternativeNames(attributes: DerElement): AlternativeName[] {
  const found: Buffer[] = [];
  for (const attribute of elements(attributes.content, sequenceTag)) {
    const reader = new DerReader(attribute.content);
    if (objectIdentifier(reader.next(objectIdentifierTag)) !== extensionRequest) continue;
    const extensions = new DerReader(reader.next(setTag).content).next(sequenceTag);
    for (const { content } of elements(extensions.content, sequenceTag)) {
      const extension = new DerReader(content);
      if (objectIdentifier(extension.next(objectIdentifierTag)) !== subjectAlternativeName) continue;
      const next = extension.next();
      found.push((next.tag === booleanTag ? extension.next(octetStringTag) : next).content);
    }
  }
  if (found.length > 1) throw new DerError('x509: certificate request contains duplicate requested extensions');
  return found.flatMap(namesIn);
}

const kinds = [
  { kind: 'dns', tag: 0x82, name: 'dNSName' },
  { kind: 'email', tag: 0x81, name: 'rfc822Name' },
  { kind: 'ip', tag: 0x87, name: 'iPAddress' },
  { kind: 'uri', tag: 0x86, name: 'uniformResourceIdentifier' },
] as const;

/** The names grouped by kind, in the order in which Go writes them. Other kinds are dropped. */
function namesIn(extension: Buffer): AlternativeName[] {
  const names = elements(new DerReader(extension).next(sequenceTag).content);
  return kinds.flatMap(({ kind, tag, name }) =>
    names
      .filter((each) => each.tag === tag)
      .map(({ content, whole }) => {
        const isValid = kind === 'ip' ? content.length === 4 || content.length === 16 : isAscii(content);
        if (!isValid) throw new DerError(`x509: SAN ${name} is malformed`);
        return { kind, whole };
      }),
  );
}

function isAscii(content: Buffer): boolean {
  return content.every((byte) => byte < 0x80);
}

/** Reads all elements up to the end, each with the given tag if there is one. */
function elements(content: Buffer, tag?: number): DerElement[] {
  const reader = new DerReader(content);
  const found: DerElement[] = [];
  while (!reader.atEnd) found.push(reader.next(tag));
  return found;
}
