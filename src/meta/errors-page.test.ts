import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as fieldErrors from './field-error.ts';
import type { StatusError } from './status-error.ts';
import * as factories from './status-error.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|conformance)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The cells of all rows of the page, without the heads of its tables. */
const rows = page
  .split('\n')
  .filter((line, index, lines) => line.startsWith('| ') && !/^\| -/.test(line) && !/^\| -/.test(lines[index + 1] ?? ''))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

/** A row of five cells describes one response. */
const statusRows = rows
  .filter(({ length }) => length === 7)
  .map(([, code, reason, , message]) => ({
    code: Number(code),
    reason: reason === 'none' ? '' : reason!,
    message: message!,
  }));
const textCodes = new Set(rows.filter(({ length }) => length === 5).map(([, code]) => Number(code)));
const pairs = rows.filter(({ length }) => length === 4).map(([, first, second]) => [first!, second!] as const);
const causeReasons = new Set(pairs.map(([reason]) => reason).filter((reason) => /^\w+$/.test(reason)));
const badRequests = pairs.filter(([reason]) => !/^\w+$/.test(reason)).map(([, message]) => message);

/** Converts a message of the page to a pattern: parts in angle brackets match any text. */
function pattern(message: string): RegExp {
  const segments = message.split(/<[^>]*>/).map((segment) => segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${segments.join('[^]*')}$`);
}

function isOnPage({ code, reason = '', message = '' }: { code: number; reason?: string; message?: string }): boolean {
  return statusRows.some((row) => row.code === code && row.reason === reason && pattern(row.message).test(message));
}

const pods = { group: '', resource: 'pods' };
const both = (error: factories.DecidedError): StatusError[] => [error, error.original];
/** Calls every factory as the server would. */
const samples: { readonly [name in keyof typeof factories]: () => StatusError[] } = {
  StatusError: () => [],
  badRequest: () => [factories.badRequest('x')],
  DecidedError: () => [],
  unclassified: () => both(factories.unclassified('x')),
  unauthorized: () => [factories.unauthorized()],
  forbidden: () => [factories.forbidden(pods, 'a', 'x'), factories.forbidden(pods, '', 'x')],
  forbiddenPath: () => [factories.forbiddenPath('x')],
  notFound: () => [factories.notFound(pods, 'a')],
  routeNotFound: () => [factories.routeNotFound()],
  routeMethodNotAllowed: () => [factories.routeMethodNotAllowed()],
  methodNotSupported: () => [factories.methodNotSupported(pods, 'watch')],
  notAcceptable: () => [factories.notAcceptable('only the following media types are accepted: a/b')],
  alreadyExists: () => [
    factories.alreadyExists(pods, 'a'),
    factories.alreadyExists(pods, 'a', 'object is being deleted: '),
  ],
  generatedNameTaken: () => [factories.generatedNameTaken(pods, 'a')],
  conflict: () => [factories.conflict(pods, 'a', 'x')],
  staleVersion: () => [factories.staleVersion(pods, 'a')],
  expired: () => [factories.expired('x')],
  tooLargeBody: () => [factories.tooLargeBody('x')],
  unsupportedMediaType: () => [
    factories.unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: a/b',
    ),
  ],
  tooManyRequests: () => [
    factories.tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", []),
  ],
  invalid: () => [factories.invalid({ group: '', kind: 'Pod' }, 'a', [fieldErrors.requiredValue('spec')])],
  tooLargeObject: () => both(factories.tooLargeObject('x')),
  badOptions: () =>
    both(factories.badOptions('listOptionsAreBadRequests', 'ListOptions', [fieldErrors.requiredValue('spec')])),
  unprocessable: () => [factories.unprocessable()],
  internalError: () => [factories.internalError('x')],
  serviceUnavailable: () => [factories.serviceUnavailable('x', 1)],
  timeout: () => [factories.timeout('request did not complete within the allotted timeout')],
  resourceVersionTooLarge: () => [factories.resourceVersionTooLarge(2, 1)],
};

describe('docs/errors.md lists', () => {
  it.each(Object.keys(factories))('the errors that %s returns', (name) => {
    const sample = samples[name as keyof typeof factories];
    expect(sample, 'a new factory needs a sample here and a row on the page').toBeDefined();
    expect(sample().filter(({ status }) => !isOnPage(status))).toEqual([]);
  });

  it('every code and reason in the sources', () => {
    const named = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/code: ([45]\d\d),\s*reason: '(\w*)'/g)].map(([, code, reason]) => ({ file, code, reason })),
    );
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(
      ({ code, reason }) => !statusRows.some((row) => row.code === Number(code) && row.reason === reason),
    );
    expect(missing).toEqual([]);
  });

  it('every message of a bad request', () => {
    const call = /badRequest\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`((?:[^`\\]|\\.)*)`)/g;
    const named = sources.flatMap(({ file, text }) =>
      [...text.matchAll(call)].map(([, single, double, template]) => ({
        file,
        message: (single ?? double ?? template!).replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '"x"'),
      })),
    );
    expect(named.length).toBeGreaterThan(60);
    // A form that matches every message would be useless.
    expect(badRequests.filter((message) => message.replace(/<[^>]*>/g, '').length < 8)).toEqual([]);
    const patterns = badRequests.map((message) => pattern(message.replaceAll('"', '')));
    const isListed = (message: string): boolean => patterns.some((each) => each.test(message.replaceAll('"', '')));
    expect(named.filter(({ message }) => !isListed(message))).toEqual([]);
  });

  it('every code of a response that is not a Status', () => {
    const responses = [/respondText\([\w.]+, ([45]\d\d)/g, /respond\(([45]\d\d)/g, /writeHead\(([45]\d\d)/g];
    const others = [/respondText\([\w.]+, [^,]* : ([45]\d\d)/g, /#refuseSwitch\(([45]\d\d)/g, /[A-Z_]+: (4\d\d),/g];
    const named = sources.flatMap(({ file, text }) =>
      [...responses, ...others].flatMap((expression) =>
        [...text.matchAll(expression)].map(([, code]) => ({ file, code: Number(code) })),
      ),
    );
    expect(new Set(named.map(({ code }) => code)).size).toBeGreaterThan(5);
    expect(named.filter(({ code }) => !textCodes.has(code))).toEqual([]);
  });

  it('every cause reason', () => {
    const inFields = readFileSync(join(root, 'src/meta/field-error.ts'), 'utf8').matchAll(/reason: '(\w+)'/g);
    const inCauses = sources.flatMap(({ text }) => [
      ...text.matchAll(/\[\{ reason: '(\w+)'/g),
      ...text.matchAll(/\(\{ reason: '(\w+)', message[^}]*field \}\)/g),
    ]);
    const named = [...inFields, ...inCauses].map(([, reason]) => reason!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((reason) => !causeReasons.has(reason))).toEqual([]);
  });

  it('nothing that is missing from the sources', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const reasons = [...statusRows.map(({ reason }) => reason), ...causeReasons].filter((reason) => reason !== '');
    expect(reasons.filter((reason) => !all.includes(`'${reason}'`))).toEqual([]);
    const words = badRequests.flatMap((message) => message.split(/<[^>]*>|["()]/)).filter(({ length }) => length > 12);
    expect(words.length).toBeGreaterThan(10);
    expect(words.filter((text) => !all.includes(text))).toEqual([]);
  });
});
