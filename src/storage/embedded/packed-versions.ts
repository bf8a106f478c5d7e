import type { Integrity } from './integrity.ts';

/** The state of a key at one revision. */
export interface Version {
  readonly modRevision: number;
  readonly createRevision: number;
  readonly value: Buffer;
  readonly integrity: Integrity;
}

/**
 * A list of versions and gaps in one block of memory that can be transferred to another thread without a copy. Each
 * item has four numbers (mod revision, 0 for a gap; create revision; end of the value; integrity). The values follow.
 */
export type PackedVersions = ArrayBuffer;

const numbersPerVersion = 4;
const versionHeaderBytes = numbersPerVersion * Float64Array.BYTES_PER_ELEMENT;

export function packVersions(versions: readonly (Version | undefined)[]): PackedVersions {
  const headerBytes = versions.length * versionHeaderBytes + Float64Array.BYTES_PER_ELEMENT;
  const total = versions.reduce((sum, version) => sum + (version?.value.length ?? 0), headerBytes);
  const packed = new ArrayBuffer(total);
  const numbers = new Float64Array(packed, 0, headerBytes / Float64Array.BYTES_PER_ELEMENT);
  const bytes = new Uint8Array(packed);
  numbers[0] = versions.length;
  let slot = 1;
  let offset = headerBytes;
  for (const version of versions) {
    if (version) {
      numbers[slot] = version.modRevision;
      numbers[slot + 1] = version.createRevision;
      numbers[slot + 3] = version.integrity;
      bytes.set(version.value, offset);
      offset += version.value.length;
    }
    numbers[slot + 2] = offset;
    slot += numbersPerVersion;
  }
  return packed;
}

/** The values are views of the packed memory, not copies. */
export function unpackVersions(packed: PackedVersions): (Version | undefined)[] {
  const count = new Float64Array(packed, 0, 1)[0] ?? 0;
  const numbers = new Float64Array(packed, Float64Array.BYTES_PER_ELEMENT, count * numbersPerVersion);
  const versions: (Version | undefined)[] = [];
  let offset = Float64Array.BYTES_PER_ELEMENT + count * versionHeaderBytes;
  for (let slot = 0; slot < numbers.length; slot += numbersPerVersion) {
    const modRevision = numbers[slot] ?? 0;
    const createRevision = numbers[slot + 1] ?? 0;
    const end = numbers[slot + 2] ?? offset;
    const integrity = (numbers[slot + 3] ?? 0) as Integrity;
    const value = modRevision === 0 ? undefined : Buffer.from(packed, offset, end - offset);
    versions.push(value && { modRevision, createRevision, value, integrity });
    offset = end;
  }
  return versions;
}
