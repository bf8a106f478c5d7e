import { describe, expect, it } from 'vitest';
import { formatCheck, isKnownFormat } from './formats.ts';

const uuid = (version: number) => `01234567-89ab-${version}def-8123-456789abcdef`;

const formats: Readonly<Record<string, { readonly valid: string[]; readonly invalid: string[] }>> = {
  bsonobjectid: {
    valid: ['507f1f77bcf86cd799439011'],
    invalid: ['507f1f77bcf86cd79943901', 'x07f1f77bcf86cd799439011'],
  },
  byte: { valid: ['YQ==', 'YWJj'], invalid: ['', 'YQ', 'Y-==', 'YQ==YQ=='] },
  cidr: {
    valid: ['10.0.0.0/8', 'fd00::/64', '1.2.3.4/32'],
    invalid: ['10.0.0.0', '10.0.0.0/33', 'dead::beef::/64', 'x/8'],
  },
  creditcard: { valid: ['4111 1111 1111 1111', '5500-0000-0000-0004'], invalid: ['4111111111111112', '1234'] },
  date: { valid: ['2024-02-29'], invalid: ['2023-02-29', '2024-13-01', '2024-1-01', 'x'] },
  'date-time': {
    valid: ['2024-01-01T00:00:00Z', '2024-01-01t23:59:59.5+01:00'],
    invalid: ['2024-01-01', '2024-01-01T24:00:00Z', '2024-01-01T00:00:00', '2024-01-01 00:00:00Z'],
  },
  duration: { valid: ['1h30m', '3 days', '2weeks', '0'], invalid: ['', 'x', '3', '1 fortnight'] },
  email: { valid: ['a@b.io', 'A b <a.c@b.io>', '"a b"@c.io'], invalid: ['a', '@b.io', 'a@', 'a b@c.io', 'a@b@c'] },
  hexcolor: { valid: ['#fff', '00ff00'], invalid: ['#ffff', 'red'] },
  hostname: {
    valid: ['a', 'a-b.example.io', 'xn--a.io', 'é.fr'],
    invalid: ['', '-a', 'a..io', 'a_b.io', `${'a'.repeat(64)}.io`],
  },
  ipv4: { valid: ['1.2.3.4', '010.0.0.1', '::ffff:1.2.3.4'], invalid: ['1.2.3', '1.2.3.256', '::1'] },
  ipv6: { valid: ['::1', 'fe80::1', '::ffff:1.2.3.4'], invalid: ['1.2.3.4', 'fe80::1%eth0', '1::2::3'] },
  isbn: { valid: ['0-306-40615-2', '978-0-306-40615-7'], invalid: ['0-306-40615-3', '9780306406158', '1'] },
  isbn10: { valid: ['0306406152', '080442957X'], invalid: ['978-0-306-40615-7'] },
  isbn13: { valid: ['9780306406157'], invalid: ['0306406152'] },
  'k8s-long-name': { valid: ['a.b', 'a'], invalid: ['A', 'a..b', ''] },
  'k8s-short-name': { valid: ['a-b'], invalid: ['a.b', 'A', ''] },
  mac: {
    valid: ['00:00:5e:00:53:01', '02-00-5e-10-00-00-00-01', '0000.5e00.5301'],
    invalid: ['00:00', '00:00:5e:00:53:0g'],
  },
  password: { valid: ['', 'anything'], invalid: [] },
  rgbcolor: { valid: ['rgb(0, 10,255)'], invalid: ['rgb(0,0,256)', '#fff'] },
  ssn: { valid: ['111-22-3333', '111 22 3333'], invalid: ['111223333', '111-22-333'] },
  uri: {
    valid: ['http://a.io/b?c=%zz', '/a', 'a:b', 'https://u:p@[::1]:80/', '*', '//a b'],
    invalid: ['', 'a', 'a/b', 'http://a b/', 'http://a:x/', '/%zz', ':a', 'http://a\n'],
  },
  uuid: { valid: [uuid(1), uuid(1).toUpperCase(), uuid(1).replaceAll('-', '')], invalid: [`${uuid(1)}0`, 'x'] },
  uuid3: { valid: [uuid(3)], invalid: [uuid(4)] },
  uuid4: { valid: [uuid(4)], invalid: [uuid(3), '01234567-89ab-4def-0123-456789abcdef'] },
  uuid5: { valid: [uuid(5)], invalid: [uuid(4)] },
};

describe.each(Object.entries(formats))('%s', (format, { valid, invalid }) => {
  const check = formatCheck(format)!;
  it('accepts its values and no others', () => {
    expect([...valid, ...invalid].filter((text) => check(text))).toEqual(valid);
  });
});

it.each<[string, boolean]>([
  ['int32', true],
  ['double', true],
  ['datetime', true],
  ['ip', false],
  ['constructor', false],
])('knows %s: %s', (format, known) => expect(isKnownFormat(format)).toBe(known));
