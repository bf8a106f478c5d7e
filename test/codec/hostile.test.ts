import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/meta/decode-error.ts';
import { cpuTime } from './cpu-time.ts';
import { decodeAs, encodingNames } from './encodings.ts';
import { heavyDocuments } from './heavy-documents.ts';
import { kinds } from './kinds.ts';
import { refusedDocuments } from './refused-documents.ts';

const maxMs = 5_000;
/** The limit is high, because it includes garbage that has not been collected yet. */
const maxMemory = 96 * 1024 * 1024;

/** This kind contains a value of any type. */
const kind = kinds.get('apps/v1.ControllerRevision')!;

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe.each(encodingNames)('%s', (encoding) => {
  it.each([...refusedDocuments[encoding]])('refuses $about quickly', ({ bytes }) => {
    const body = bytes();
    const [memoryBefore, start] = [memory(), process.cpuUsage()];
    expect(() => decodeAs(encoding, kind, body)).toThrow(DecodeError);
    expect(cpuTime(start)).toBeLessThan(maxMs);
    expect(memory() - memoryBefore).toBeLessThan(maxMemory);
  });

  it.each([...heavyDocuments[encoding]])('reads or refuses $about in the time that its size explains', ({ bytes }) => {
    const body = bytes();
    const start = process.cpuUsage();
    try {
      decodeAs(encoding, kind, body);
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
    }
    expect(cpuTime(start)).toBeLessThan(maxMs);
  });
});
