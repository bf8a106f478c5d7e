import { describe, expect, it } from 'vitest';
import { encodeContinue } from './continue-token.ts';
import { listVersion, watchStart } from './list-version.ts';

const position = { revision: 5, after: 'x' };
const plainList = {
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  sendInitialEvents: undefined,
};
const continueToken = encodeContinue(position);

describe('listVersion', () => {
  it.each([
    [{}, { mode: 'latest' }],
    [{ limit: 5 }, { mode: 'latest' }],
    [{ resourceVersion: '0' }, { mode: 'notOlderThan', revision: 0 }],
    [
      { resourceVersion: '0', limit: 5 },
      { mode: 'notOlderThan', revision: 0 },
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
      { mode: 'notOlderThan', revision: 0 },
    ],
    [{ resourceVersion: '00' }, { mode: 'notOlderThan', revision: 0 }],
    [
      { continueToken, resourceVersion: '00' },
      { mode: 'continue', position },
    ],
    [{ resourceVersion: '7' }, { mode: 'notOlderThan', revision: 7 }],
    [
      { resourceVersion: '7', limit: 5 },
      { mode: 'exact', revision: 7 },
    ],
    [
      { resourceVersion: '7', resourceVersionMatch: 'NotOlderThan', limit: 5 },
      { mode: 'notOlderThan', revision: 7 },
    ],
    [
      { resourceVersion: '7', resourceVersionMatch: 'Exact' },
      { mode: 'exact', revision: 7 },
    ],
    [{ continueToken }, { mode: 'continue', position }],
    [
      { continueToken, resourceVersion: '0', limit: 5 },
      { mode: 'continue', position },
    ],
  ])('%j', (request, expected) => {
    expect(listVersion({ ...plainList, ...request })).toEqual(expected);
  });

  it.each([
    [
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      { resourceVersion: '00', resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      { resourceVersion: '7', resourceVersionMatch: 'x' },
      'resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', continueToken },
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [{ resourceVersion: '7', continueToken }, 'specifying resource version is not allowed when using continue'],
    [{ resourceVersion: 'x' }, 'invalid resource version: resourceVersion: Invalid value: "x"'],
    [{ sendInitialEvents: false }, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])('refuses %j', (request, message) => {
    expect(() => listVersion({ ...plainList, ...request })).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
      }),
    );
  });
});

describe('watchStart', () => {
  const plainWatch = { resourceVersion: '', resourceVersionMatch: '', sendInitialEvents: undefined, continueToken: '' };
  const streaming = { resourceVersionMatch: 'NotOlderThan' };

  it.each([
    [{}, { after: undefined, initialEvents: true, atLeast: undefined }],
    [{ resourceVersion: '0' }, { after: undefined, initialEvents: true, atLeast: 0 }],
    [{ resourceVersion: '7' }, { after: 7, initialEvents: false, atLeast: 0 }],
    [
      { resourceVersion: '7', continueToken },
      { after: 7, initialEvents: false, atLeast: 0 },
    ],
    [
      { ...streaming, sendInitialEvents: true },
      { after: undefined, initialEvents: true, atLeast: undefined },
    ],
    [
      { ...streaming, sendInitialEvents: true, resourceVersion: '7' },
      { after: undefined, initialEvents: true, atLeast: 7 },
    ],
    [
      { ...streaming, sendInitialEvents: false },
      { after: undefined, initialEvents: false, atLeast: undefined },
    ],
    [
      { ...streaming, sendInitialEvents: false, resourceVersion: '7' },
      { after: 7, initialEvents: false, atLeast: 0 },
    ],
  ])('%j', (request, expected) => {
    expect(watchStart({ ...plainWatch, ...request })).toEqual(expected);
  });

  it.each([
    [{ sendInitialEvents: true }, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
    [streaming, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'],
    [
      { sendInitialEvents: true, resourceVersionMatch: 'Exact' },
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, ' +
        'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      { resourceVersionMatch: 'Exact', resourceVersion: '5' },
      '[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is ' +
        'provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [{ continueToken }, 'resourceVersionMatch is forbidden when continue is provided'],
    [{ continueToken, resourceVersion: '0' }, 'resourceVersionMatch is forbidden when continue is provided'],
    [
      { ...streaming, sendInitialEvents: false, resourceVersion: '7', continueToken },
      'resourceVersionMatch is forbidden when continue is provided',
    ],
    [{ resourceVersion: 'x' }, 'resourceVersion: Invalid value: "x"'],
  ])('refuses %j', (request, message) => {
    expect(() => watchStart({ ...plainWatch, ...request })).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
      }),
    );
  });
});
