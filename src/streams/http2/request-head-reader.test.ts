import { describe, expect, it } from 'vitest';
import type { RequestHead } from './request-head.ts';
import { RequestHeadReader } from './request-head-reader.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** GET https, authority `x`, not added to the table. */
const start = '82 87 01 01 78';
const open = () => new RequestHeadReader({ maxListSize: 1000 });
const pathOf = (head: ReturnType<RequestHeadReader['read']>): string | undefined => (head as RequestHead).target;

describe('repeated blocks', () => {
  it('are one request', () => {
    const reader = open();
    const block = hex(`${start} 04 02 2f 61`);
    expect(reader.read(Buffer.from(block))).toBe(reader.read(Buffer.from(block)));
    expect(pathOf(reader.read(block))).toBe('/a');
  });

  it('mean something else when the table has changed', () => {
    const reader = open();
    const recall = hex(`${start} be`);
    reader.read(hex(`${start} 44 02 2f 61`));
    expect(pathOf(reader.read(recall))).toBe('/a');
    expect(pathOf(reader.read(recall))).toBe('/a');
    // The index of the newest entry now refers to another one.
    reader.read(hex(`${start} 44 02 2f 62`));
    expect(pathOf(reader.read(recall))).toBe('/b');
    expect(pathOf(reader.read(hex(`${start} bf`)))).toBe('/a');
    // Skipped blocks also change the table.
    reader.skip(hex('44 02 2f 63'));
    expect(pathOf(reader.read(recall))).toBe('/c');
    reader.readTrailers(hex('40 01 61 01 62'));
    expect(reader.read(recall)).toBe('malformed');
  });

  it('are right between many others', () => {
    const reader = open();
    for (let round = 0; round < 500; round++) {
      const path = `/${round % 7 === 0 ? 'same' : round}`;
      const block = Buffer.concat([hex(start), Buffer.from([4, path.length]), Buffer.from(path)]);
      expect(pathOf(reader.read(block))).toBe(path);
    }
  });
});

describe('a fault', () => {
  it.each([
    ['damaged', 'ff'],
    ['malformed', '82'],
    ['large', `${start} 84 00 01 61 7f f9 07 ${'62'.repeat(1144)}`],
  ])('is told: %s', (fault, block) => {
    const reader = open();
    expect(reader.read(hex(block))).toBe(fault);
    expect(reader.read(hex(block))).toBe(fault);
  });

  it.each([
    ['damaged', 'ff'],
    ['malformed', '82'],
    ['large', `00 01 61 7f f9 07 ${'62'.repeat(1144)}`],
    [undefined, '00 01 61 01 62'],
  ])('behind a body is told: %s', (fault, block) => {
    expect(open().readTrailers(hex(block))).toBe(fault);
  });
});
