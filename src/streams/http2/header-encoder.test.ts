import { describe, expect, it } from 'vitest';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder, type HeaderValues, type ResponseHead } from './header-encoder.ts';

function pair() {
  const encoder = new HeaderEncoder();
  const decoder = new HeaderDecoder({ maxListSize: 1 << 20 });
  const send = (head: ResponseHead) => {
    const length = encoder.encode(head);
    const fields = decoder.decode(encoder.bytes.subarray(0, length))!;
    const lines = Array.from({ length: fields.length / 2 }, (_, at) => `${fields[2 * at]}: ${fields[2 * at + 1]}`);
    return { length, lines };
  };
  return { encoder, decoder, send };
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };

describe('the headers of a response', () => {
  it.each<[string, ResponseHead, string[]]>([
    ['a known status', { status: 200, headers: {} }, [':status: 200']],
    ['another status', { status: 429, headers: {} }, [':status: 429']],
    [
      'early ones, unless others replace them',
      { status: 404, early: { 'audit-id': 'a', vary: 'x' }, headers: { vary: 'y' } },
      [':status: 404', 'vary: y', 'audit-id: a'],
    ],
    [
      'a length and a date',
      { status: 200, headers: {}, length: 12, date: 'today' },
      [':status: 200', 'content-length: 12', 'date: today'],
    ],
    [
      'a length instead of theirs, and their date',
      { status: 200, headers: { 'content-length': 7, date: 'then' }, length: 12, date: 'today' },
      [':status: 200', 'date: then', 'content-length: 12'],
    ],
    ['a list', { status: 200, headers: { warning: ['one', 'two'] } }, [':status: 200', 'warning: one', 'warning: two']],
    ['capitals in a name', { status: 200, headers: { 'X-Any': 'Value' } }, [':status: 200', 'x-any: Value']],
    ['the header of another version', { status: 200, headers: { connection: 'close' } }, [':status: 200']],
    ['all bytes of a value', { status: 200, headers: { x: '\xe4\t~' } }, [':status: 200', 'x: \xe4\t~']],
    [
      'long values',
      { status: 200, headers: { x: 'y'.repeat(20_000), 'content-type': 'z'.repeat(5000) } },
      [':status: 200', `x: ${'y'.repeat(20_000)}`, `content-type: ${'z'.repeat(5000)}`],
    ],
  ])('have %s', (_what, head, expected) => {
    expect(pair().send(head).lines).toEqual(expected);
  });

  it('cost little when they repeat', () => {
    const { send } = pair();
    const head = { status: 200, headers: json };
    const first = send(head);
    const second = send(head);
    expect(second.lines).toEqual(first.lines);
    expect(first.length).toBeGreaterThan(20);
    expect(second.length).toBe(3);
  });

  it('are right whatever the responses before have shared', () => {
    const { encoder, send } = pair();
    const one = { vary: 'x', server: 'y' };
    const two = { ...json, 'audit-id': 'z' };
    const others: HeaderValues[] = [{}, { vary: 'own' }, { 'content-type': 'own' }, { warning: 'w' }, { 'x-any': 'v' }];
    const shared: (HeaderValues | undefined)[] = [undefined, one, one, one, two, { server: ['a', 'b'] }, two, two, {}];
    let count = 0;
    const isSent = (early: HeaderValues | undefined, headers: HeaderValues): void => {
      const fields = Object.entries({ ...early, ...headers }).flatMap(([name, value]) =>
        [value].flat().map((each) => `${name}: ${each}`),
      );
      expect(send({ status: 200, early, headers }).lines.toSorted()).toEqual([':status: 200', ...fields].toSorted());
    };
    for (let round = 0; round < 4; round++) {
      for (const headers of others) {
        for (const early of shared) isSent(early, headers);
        isSent(one, { 'content-type': `type/${count++}` });
        isSent(one, headers);
      }
      encoder.setTableSize(4096 - round);
      isSent({ vary: 'z' }, { 'content-type': 'first' });
    }
  });

  it('are right when the table of the client is full', () => {
    const { send, decoder } = pair();
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 300; index++) {
        const headers = { ...json, 'content-type': `type/${index}` };
        expect(send({ status: 200, headers }).lines).toContain(`content-type: type/${index}`);
      }
    }
    expect(decoder.tableSize).toBeLessThanOrEqual(4096);
  });

  it('keep no credentials in the table', () => {
    const { send, decoder } = pair();
    send({ status: 200, headers: { 'set-cookie': 'secret', 'audit-id': 'x', location: '/x' } });
    expect(decoder.tableSize).toBe(0);
  });
});

describe('the table of the client', () => {
  it.each([0, 60, 100, 4096, 1 << 30])('may have another size: %i', (size) => {
    const { encoder, decoder, send } = pair();
    send({ status: 200, headers: json });
    encoder.setTableSize(size);
    for (let round = 0; round < 3; round++) {
      expect(send({ status: 200, headers: json }).lines).toEqual([
        ':status: 200',
        'content-type: application/json',
        'cache-control: no-cache, private',
      ]);
      expect(decoder.tableSize).toBeLessThanOrEqual(size);
    }
  });
});

describe('a header that cannot be sent', () => {
  it.each<[string, ResponseHead['headers']]>([
    ['a line break', { x: 'a\r\nb: c' }],
    ['a null', { x: 'a\0' }],
    ['a character that is no byte', { x: '\u{1f600}' }],
    ['a bad value in a list', { x: ['a', 'b\n'] }],
    ['a blank in a name', { 'a b': 'c' }],
    ['no name', { '': 'c' }],
    ['the name of a pseudo-header', { ':status': '200' }],
    ['what only HTTP/1.1 has', { 'transfer-encoding': 'chunked' }],
    ['a delete character', { x: 'a\x7f' }],
    ['a bad value that would be remembered', { vary: 'a\n' }],
  ])('is refused, and the next response is right: %s', (_what, headers) => {
    const { encoder, send } = pair();
    encoder.setTableSize(2048);
    expect(() => encoder.encode({ status: 200, headers: { ...json, ...headers } })).toThrow(TypeError);
    expect(() => encoder.encode({ status: 200, early: { ...json, ...headers }, headers: {} })).toThrow(TypeError);
    expect(send({ status: 200, headers: json }).lines).toContain('content-type: application/json');
  });
});
