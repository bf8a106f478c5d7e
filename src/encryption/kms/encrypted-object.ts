import { fieldErrorText, invalidValue } from '../../meta/field-error.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import { type ByteMap, messageCodec } from './message.ts';

/**
 * The type of the encrypted DEK source: a key, as older releases have written it, or a seed for a key of each value.
 */
export const sourceTypes = { key: 0, seed: 1 } as const;

const maxKeyIdSize = 1024;
const maxSourceSize = 1024;
const maxAnnotationsSize = 32 * 1024;

/** The stored form of a value that was encrypted with the help of a key management service. */
export interface EncryptedObject extends EncryptedSource {
  readonly data: Buffer;
}

/** The source from which the key of a value is derived. */
export interface EncryptedSource {
  readonly keyId: string;
  /** The encrypted source, which only the service can decrypt. */
  readonly source: Buffer;
  readonly annotations: ByteMap;
  readonly sourceType: number;
}

const codec = messageCodec('EncryptedObject', {
  data: [1, 'bytes'],
  keyId: [2, 'text'],
  source: [3, 'bytes'],
  annotations: [4, 'byteMap'],
  sourceType: [5, 'enumeration'],
});

export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  return codec.encode(object);
}

/** Throws a DecodeError or a RangeError. */
export function decodeEncryptedObject(bytes: Buffer): EncryptedObject {
  const object = codec.decode(bytes);
  if (object.sourceType !== sourceTypes.key && object.sourceType !== sourceTypes.seed) {
    throw new RangeError(`unknown encryptedDEKSourceType: ${object.sourceType}`);
  }
  if (object.data.length === 0) throw new RangeError('encrypted data is empty');
  checkSource(object);
  return object;
}

/** Throws a RangeError if the parts that come from the service must not be stored. */
export function checkSource({ keyId, source, annotations }: EncryptedSource): void {
  const sourceProblem = sizeProblem('encrypted DEK source', source.length, maxSourceSize);
  if (sourceProblem !== '') throw new RangeError(`failed to validate encrypted DEK source: ${sourceProblem}`);
  const idProblem = keyIdProblem(keyId);
  if (idProblem !== '') throw new RangeError(`failed to validate key id: ${idProblem}`);
  const problems = annotationProblems(annotations);
  if (problems !== '') throw new RangeError(`failed to validate annotations: ${problems}`);
}

/** Empty if the key ID is valid. */
export function keyIdProblem(keyId: string): string {
  return sizeProblem('keyID', Buffer.byteLength(keyId), maxKeyIdSize);
}

function sizeProblem(what: string, size: number, max: number): string {
  if (size === 0) return `${what} is empty`;
  return size > max ? `${what} is ${size} bytes, which exceeds the max size of ${max}` : '';
}

function annotationProblems(annotations: ByteMap): string {
  const problems = Object.keys(annotations).flatMap(domainProblems);
  const size = Object.entries(annotations).reduce((sum, [key, { length }]) => sum + Buffer.byteLength(key) + length, 0);
  if (size > maxAnnotationsSize) {
    problems.push(`total size of annotations is ${size}, which exceeds the max size of ${maxAnnotationsSize}`);
  }
  return joinedErrors(problems);
}

function domainProblems(name: string): string[] {
  const details = dnsSubdomainErrors(name);
  const [problem] =
    details.length > 0 || name.includes('.')
      ? details
      : ['should be a domain with at least two segments separated by dots'];
  return problem === undefined ? [] : [fieldErrorText(invalidValue('annotations', name, problem))];
}
