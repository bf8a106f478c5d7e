import { describe, expect, it } from 'vitest';
import { runSync } from '../meta/turns.ts';
import { swaggerFragment } from './swagger-fragment.ts';

const prefix = '/apis/g/v1';
const reference = (name: string) => ({ $ref: `#/definitions/${name}` });

function fragment(document: unknown) {
  return runSync(swaggerFragment(document, prefix));
}

describe('the fragment of a Swagger document', () => {
  it('has the paths below the prefix and what they need', () => {
    const paths = { '/apis/g/v1/a': { get: reference('A') }, '/apis/g/v10/a': { get: reference('C') }, '/': {} };
    const definitions = { A: { items: [reference('B')] }, B: { properties: { self: reference('B') } }, C: {} };
    expect(fragment({ paths, definitions })).toEqual({
      paths: { '/apis/g/v1/a': { get: reference('A') } },
      definitions: { A: definitions.A, B: definitions.B },
    });
  });

  it('has the shared parameters in their places', () => {
    const paths = { '/apis/g/v1/a': { parameters: [{ $ref: '#/parameters/p' }] } };
    const parameters = { p: { name: 'p', in: 'body', schema: reference('A') } };
    expect(fragment({ paths, parameters, definitions: { A: {} } })).toEqual({
      paths: { '/apis/g/v1/a': { parameters: [parameters.p] } },
      definitions: { A: {} },
    });
  });

  it.each([
    ['no document', null],
    ['paths that are none', { paths: 7 }],
    ['a path that is none', { paths: { '/apis/g/v1/a': [] } }],
    ['a definition that is missing', { paths: { '/apis/g/v1/a': { get: reference('A') } } }],
    ['a definition of every object', { paths: { '/apis/g/v1/a': { get: reference('toString') } }, definitions: {} }],
    ['a definition that is none', { paths: { '/apis/g/v1/a': { get: reference('A') } }, definitions: { A: 'x' } }],
    ['a parameter that is missing', { paths: { '/apis/g/v1/a': { parameters: [{ $ref: '#/parameters/p' }] } } }],
    [
      'a parameter that refers to itself',
      {
        paths: { '/apis/g/v1/a': { parameters: [{ $ref: '#/parameters/p' }] } },
        parameters: { p: { $ref: '#/parameters/p' } },
      },
    ],
    ['a reference to elsewhere', { paths: { '/apis/g/v1/a': { get: { $ref: 'https://example.com/x' } } } }],
  ])('does not exist with %s', (_what, document) => {
    expect(() => fragment(document)).toThrow(TypeError);
  });
});
