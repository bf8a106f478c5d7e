import { describe, expect, test } from 'vitest';
import { usedMemory } from '../../../test/used-memory.ts';
import {
  canonicalElement,
  compareElements,
  compareSortKeys,
  fieldElement,
  keyElement,
  printElement,
  sortKey,
  valueElement,
} from './path-element.ts';

describe('elements have one canonical spelling', () => {
  test.each([
    [fieldElement('spec'), 'f:spec'],
    [fieldElement('a.b/c:d'), 'f:a.b/c:d'],
    [keyElement([['name', 'x']]), 'k:{"name":"x"}'],
    [
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
      'k:{"port":80,"protocol":"TCP"}',
    ],
    [keyElement([['name', 'a"b\\c']]), 'k:{"name":"a\\"b\\\\c"}'],
    [valueElement('x.io/y'), 'v:"x.io/y"'],
    [valueElement(true), 'v:true'],
    [valueElement(-1.5), 'v:-1.5'],
    [valueElement(2n ** 60n), 'v:1152921504606846976'],
    [valueElement('a<b>&c'), 'v:"a\\u003cb\\u003e\\u0026c"'],
  ])('%s', (element, text) => {
    expect(element).toBe(text);
  });

  test.each([
    ['f:', 'f:'],
    ['f:x', 'f:x'],
    ['k:{"b":1, "a":"x"}', 'k:{"a":"x","b":1}'],
    ['k:{}', 'k:{}'],
    ['v: "x"', 'v:"x"'],
    ['v:1.0', 'v:1'],
    ['i:7', 'i:7'],
    ['i:-1', 'i:-1'],
  ])('read %s', (text, element) => {
    expect(canonicalElement(text)).toBe(element);
  });

  test.each(['', '.', 'x', 'x:y', 'f', 'k:', 'k:[1]', 'k:"x"', 'k:{', 'v:', 'v:x', 'i:', 'i:x', 'i:1.5', 'zzz'])(
    'not %j',
    (text) => {
      expect(canonicalElement(text)).toBeUndefined();
    },
  );
});

test('elements are ordered', () => {
  const ordered = [
    '.',
    'f:',
    'f:A',
    'f:a',
    'f:a.b',
    'f:b',
    'k:{"name":"a"}',
    'k:{"name":"b"}',
    'k:{"port":9,"protocol":"UDP"}',
    'k:{"port":80}',
    'k:{"port":80,"protocol":"TCP"}',
    'k:{"port":80,"protocol":"UDP"}',
    'k:{"port":443,"protocol":"TCP"}',
    'k:{"port":"a"}',
    'v:9',
    'v:10',
    'v:"10"',
    'v:"a"',
    'v:false',
    'v:true',
    'i:2',
    'i:10',
  ];
  for (const [index, element] of ordered.entries()) {
    for (const [otherIndex, other] of ordered.entries()) {
      expect(Math.sign(compareElements(element, other)), `${element} ${other}`).toBe(Math.sign(index - otherIndex));
    }
  }
});

test.each([
  ['f:spec', '.spec'],
  ['f:a.b', '.a.b'],
  ['k:{"name":"x"}', '[name="x"]'],
  ['k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]'],
  ['k:{"a":null,"b":true}', '[a=null,b=true]'],
  ['v:"x"', '[="x"]'],
  ['v:5', '[=5]'],
  ['v:"\\n"', '[="\\n"]'],
  ['i:3', '[3]'],
])('%s is shown as %s', (element, text) => {
  expect(printElement(element)).toBe(text);
});

test('sort keys have the same order as elements', () => {
  const elements = [
    '.',
    'f:a',
    'f:b',
    'k:{"a":1}',
    'k:{"a":"1"}',
    'k:{"a":1,"b":2}',
    'v:1',
    'v:2',
    'v:"1"',
    'v:true',
    'i:0',
    'i:10',
  ];
  for (const left of elements) {
    for (const right of elements) {
      // The root itself has no value to parse, and is never sorted.
      if (left === '.' || right === '.') continue;
      const order = compareSortKeys(sortKey(left), sortKey(right));
      expect(Math.sign(order)).toBe(Math.sign(compareElements(left, right)));
    }
  }
});

test('nothing is kept of long names that clients choose', () => {
  const before = usedMemory();
  for (let nth = 0; nth < 400; nth++) fieldElement(`${nth}${'x'.repeat(100_000)}`.toUpperCase());
  expect(usedMemory() - before).toBeLessThan(15e6);
});
